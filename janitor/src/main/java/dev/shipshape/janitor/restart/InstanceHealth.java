package dev.shipshape.janitor.restart;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the log of one instance of the operator told at one check.
 *
 * @param lastSign when it last gave a sign of life: its last line, or its start where it has logged
 *     nothing since; null where that is unknown
 */
record InstanceHealth(Diagnosis diagnosis, @Nullable Instant lastSign) {

  static InstanceHealth unreadable(String reason) {
    return new InstanceHealth(Diagnosis.unreadable(reason), null);
  }
}
