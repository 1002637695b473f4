package dev.shipshape.audit;

import java.util.LinkedHashMap;
import java.util.Map;

/** The last entries that were used; older ones are forgotten, so that memory is bounded. */
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
