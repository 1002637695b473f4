package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.Guard;

/** Sees each object as its feed meets it. Called by the feeds' threads; must not wait. */
public interface Listener {
  /**
   * What is seen of this guard's objects is in this index, from now on.
   *
   * <p>Called once, before the first of them is seen.
   */
  default void begins(Guard guard, KnownInvalidIndex index) {}

  /**
   * An object is there, or has changed, or is listed again as it was.
   *
   * @param known what the index keeps of it
   */
  void seen(Guard guard, JsonNode object, IndexedObject known);

  /** More is known about an object, which itself has not changed. */
  default void judged(Guard guard, IndexedObject known, String uid) {}

  /** An object is gone. */
  void gone(Guard guard, String key);
}
