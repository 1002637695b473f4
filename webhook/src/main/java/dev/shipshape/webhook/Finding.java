package dev.shipshape.webhook;

import dev.shipshape.webhook.index.IndexedObject;

/** What makes a configuration known invalid. */
sealed interface Finding {
  /** How messages and the audit log name it. */
  String subject();

  /** Whether it holds secrets, which are in no hash. */
  boolean holdsSecrets();

  /** An object that says so. */
  record OfObject(IndexedObject object) implements Finding {
    @Override
    public String subject() {
      return object.key();
    }

    @Override
    public boolean holdsSecrets() {
      return object.holdsSecrets();
    }
  }

  /** It is the guard's own probe. */
  record OfProbe() implements Finding {
    @Override
    public String subject() {
      return "shipshape's own probe";
    }

    @Override
    public boolean holdsSecrets() {
      return false;
    }
  }
}
