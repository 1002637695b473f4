package dev.shipshape.janitor.prune;

/** Where every deletion leaves its one record. */
@FunctionalInterface
public interface Journal {

  /** Writes one record; called once for each planned deletion, from any thread. */
  void record(String run, Deletion deletion);
}
