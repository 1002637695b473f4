package dev.shipshape.audit;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of the entries that were used last. It drops older ones, so that its memory is bounded. */
final class Bounded<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  private final int max;

  Bounded(int max) {
    super(16, 0.75f, true);
    this.max = max;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > max;
  }
}
