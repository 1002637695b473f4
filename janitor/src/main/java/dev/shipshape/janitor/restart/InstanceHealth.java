package dev.shipshape.janitor.restart;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The health of one instance of the operator at one check.
 *
 * @param lastActivity the time of its last log line, or of its start if it has logged nothing
 *     since; null if unknown
 * @param isCrashing whether the kubelet restarts it again and again
 */
record InstanceHealth(Diagnosis diagnosis, @Nullable Instant lastActivity, boolean isCrashing) {

  static InstanceHealth unreadable(String reason) {
    return new InstanceHealth(Diagnosis.unreadable(reason), null, false);
  }
}
