package dev.shipshape.webhook.memory;

import java.time.Instant;
import java.util.List;

/** What is remembered of one configuration. */
public sealed interface Remembered {
  Key key();

  /** When it happened, by the API server's clock, in whole seconds. */
  Instant at();

  /**
   * It was invalid.
   *
   * @param origin the object whose status said so first
   * @param nodes where it was invalid; empty where nobody says
   * @param by the field manager that wrote the status
   * @param reason what the status said
   * @param heldSecrets whether the object held secrets, so that the hash does not say all
   */
  record Invalid(
      Key key,
      Origin origin,
      List<String> nodes,
      Instant at,
      String by,
      String reason,
      boolean heldSecrets)
      implements Remembered {
    public Invalid {
      nodes = List.copyOf(nodes);
    }

    Invalid on(List<String> others, Instant time) {
      return new Invalid(key, origin, others, time, by, reason, heldSecrets);
    }
  }

  /**
   * It no longer counts, and no status from before does.
   *
   * @param byHand whether a person said so, whom objects that are still there do not contradict
   * @param by who; the object that works with it where nobody did
   */
  record Forgotten(Key key, Instant at, boolean byHand, String by) implements Remembered {}

  /** An object, as it was when it was seen. */
  record Origin(String kind, String namespace, String name, String uid) {
    @Override
    public String toString() {
      return kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }
  }
}
