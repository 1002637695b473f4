package dev.shipshape.webhook;

import dev.shipshape.webhook.index.IndexedObject;

/** What makes a configuration known invalid. */
sealed interface Finding {
  /** How messages and the audit log name it. */
  String subject();

  /** An object that says so. */
  record OfObject(IndexedObject object) implements Finding {
    @Override
    public String subject() {
      return object.key();
    }
  }

  /** It is the guard's own probe. */
  record OfProbe() implements Finding {
    @Override
    public String subject() {
      return "shipshape's own probe";
    }
  }
}
