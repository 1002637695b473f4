package dev.shipshape.webhook.memory;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is remembered of one configuration. */
public sealed interface Remembered {
  Key key();

  /** When it happened last, by the API server's clock, in whole seconds. */
  Instant at();

  /** When it was first known to be invalid, by the same clock. */
  Instant since();

  /**
   * It was invalid.
   *
   * @param origin the object whose status said so first
   * @param failures where it failed, and when it last did; by {@link #ANYWHERE} where nobody says
   * @param by the field manager that wrote the status
   * @param reason what the status said
   * @param suspected whether that was all that said so, though more should
   * @param heldSecrets whether the object held secrets, so that the hash does not say all
   */
  record Invalid(
      Key key,
      Origin origin,
      SortedMap<String, Instant> failures,
      Instant since,
      String by,
      String reason,
      boolean suspected,
      boolean heldSecrets)
      implements Remembered {
    /** In the place of a node's name. */
    static final String ANYWHERE = "";

    public Invalid {
      failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
    }

    /** The nodes where it failed; empty where nobody says. */
    public List<String> nodes() {
      return failures.keySet().stream().filter(node -> !node.equals(ANYWHERE)).toList();
    }

    @Override
    public Instant at() {
      return Collections.max(failures.values());
    }

    Invalid with(SortedMap<String, Instant> others, Instant first) {
      return new Invalid(key, origin, others, first, by, reason, suspected, heldSecrets);
    }
  }

  /**
   * It no longer counts, and no status from before does.
   *
   * @param byHand whether a person said so, whom objects that are still there do not contradict
   * @param by who; the object that works with it where nobody did
   */
  record Forgotten(Key key, Instant at, Instant since, boolean byHand, String by)
      implements Remembered {}

  /** An object, as it was when it was seen. */
  record Origin(String kind, String namespace, String name, String uid) {
    @Override
    public String toString() {
      return kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }
  }
}
