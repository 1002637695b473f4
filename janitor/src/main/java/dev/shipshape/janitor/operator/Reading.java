package dev.shipshape.janitor.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one instance of the operator told at one look.
 *
 * @param lastSign when it last gave a sign of life: its last line, or its start where it has logged
 *     nothing since; null where that is unknown
 */
record Reading(Diagnosis diagnosis, @Nullable Instant lastSign) {

  static Reading unreadable(String reason) {
    return new Reading(new Diagnosis.Unreadable(reason), null);
  }
}
