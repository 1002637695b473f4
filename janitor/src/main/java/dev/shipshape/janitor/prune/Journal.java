package dev.shipshape.janitor.prune;

import java.util.List;

/** Where every deletion leaves its one record; called from any thread. */
@FunctionalInterface
public interface Journal extends AutoCloseable {

  /** Writes one record; called once for each planned deletion. */
  void record(String run, Deletion deletion);

  /** Writes one record of a leaked Job's removal; not where only sessions matter. */
  default void record(JobRemoval removal) {}

  /**
   * Keeps in mind that something is about to be deleted, before the request is sent, so that a
   * record can still be written where the process is killed in between.
   *
   * @throws java.io.UncheckedIOException where that is not possible: nothing may be sent then
   */
  default void begin(Intent intent) {}

  /**
   * The deletions that were begun and of which there is no record: those of a process that was
   * killed, and those whose record could not be written.
   *
   * @throws java.io.UncheckedIOException where it cannot be told: nothing may be deleted then
   */
  default List<Intent> unfinished() {
    return List.of();
  }

  /** Forgets one that turned out never to have happened. */
  default void forget(Intent intent) {}

  @Override
  default void close() {}
}
