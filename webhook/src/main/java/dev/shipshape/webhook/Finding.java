package dev.shipshape.webhook;

import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.memory.Remembered;
import dev.shipshape.webhook.timeout.TimedOut;
import java.util.List;

/** What makes a configuration known invalid. */
sealed interface Finding {
  /** How messages and the audit log name it. */
  String subject();

  /** The nodes that it is about. */
  List<String> nodes();

  /** Whether it holds secrets, which are in no hash. */
  boolean holdsSecrets();

  /** Whether nobody is refused for its sake. */
  default boolean onlyWarns() {
    return false;
  }

  /** Why nobody is, in a few words that read after the subject. */
  default String doubt() {
    return "suspected: no node has reported yet that it failed";
  }

  /** An object that says so. */
  record OfObject(IndexedObject object) implements Finding {
    @Override
    public String subject() {
      return object.key();
    }

    @Override
    public List<String> nodes() {
      return List.of(object.role().node());
    }

    @Override
    public boolean holdsSecrets() {
      return object.holdsSecrets();
    }

    @Override
    public boolean onlyWarns() {
      return object.suspected();
    }
  }

  /** An object said so once. */
  record OfMemory(Remembered.Invalid remembered) implements Finding {
    @Override
    public String subject() {
      return remembered.origin().name() + " (remembered)";
    }

    @Override
    public List<String> nodes() {
      return remembered.nodes();
    }

    @Override
    public boolean holdsSecrets() {
      return remembered.heldSecrets();
    }

    @Override
    public boolean onlyWarns() {
      return remembered.suspected();
    }
  }

  /** It took too long. */
  record OfTimeout(TimedOut timedOut, boolean onlyWarns) implements Finding {
    @Override
    public String subject() {
      return timedOut.object() + " (timed out)";
    }

    @Override
    public List<String> nodes() {
      return List.of(timedOut.node());
    }

    @Override
    public boolean holdsSecrets() {
      return timedOut.holdsSecrets();
    }

    @Override
    public String doubt() {
      return "which took too long; would be refused if timeouts were enforced";
    }
  }

  /** It is the guard's own probe. */
  record OfProbe() implements Finding {
    @Override
    public String subject() {
      return "shipshape's own probe";
    }

    @Override
    public List<String> nodes() {
      return List.of();
    }

    @Override
    public boolean holdsSecrets() {
      return false;
    }
  }
}
