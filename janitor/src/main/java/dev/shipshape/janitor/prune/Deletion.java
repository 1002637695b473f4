package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import java.time.Duration;
import java.time.Instant;

/**
 * One planned deletion and what became of it.
 *
 * @param begun when the first request was sent, by our clock
 * @param took from the first request until that was seen
 */
public record Deletion(Plan.Entry entry, Instant begun, DeleteResult result, Duration took) {
  boolean isPending() {
    return result.status() == Status.TERMINATING;
  }
}
