package dev.shipshape.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A map of the entries that were used last. It drops older ones, so that its memory is bounded. */
final class Bounded<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  private final int max;
  private final transient Consumer<V> dropped;

  Bounded(int max) {
    this(max, value -> {});
  }

  /**
   * @param dropped gets each value that is dropped
   */
  Bounded(int max, Consumer<V> dropped) {
    super(16, 0.75f, true);
    this.max = max;
    this.dropped = dropped;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    if (size() <= max) {
      return false;
    }
    dropped.accept(eldest.getValue());
    return true;
  }
}
