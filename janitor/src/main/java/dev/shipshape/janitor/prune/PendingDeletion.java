package dev.shipshape.janitor.prune;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A deletion that is about to be sent, or was.
 *
 * @param run the run that it belongs to
 * @param at when, by our clock
 */
record PendingDeletion(String run, Instant at, Target target) {

  /** What is deleted. */
  sealed interface Target permits Plan.Entry {
    /** How logs and records name it. */
    String object();

    /** Null in the REST world. */
    @Nullable String uid();

    /** By which it may go. */
    Duration age();
  }
}
