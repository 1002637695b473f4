package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the log of one instance of the operator told at one check.
 *
 * @param lastSign when it last gave a sign of life: its last line, or its start where it has logged
 *     nothing since; null where that is unknown
 */
record InstanceHealth(Diagnosis diagnosis, @Nullable Instant lastSign) {

  /** Why it could not be read; empty where it could. */
  Optional<String> unreadable() {
    return diagnosis instanceof Diagnosis.Unreadable(String reason)
        ? Optional.of(reason)
        : Optional.empty();
  }

  static InstanceHealth unreadable(String reason) {
    return new InstanceHealth(new Diagnosis.Unreadable(reason), null);
  }
}
