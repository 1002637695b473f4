package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The annotations of an operator's workload by which restarts are made and remembered. */
public final class OperatorAnnotations {
  /** What kubectl sets on the pod template; changing it makes new pods. */
  public static final String RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";

  /** A label, which no rollback brings back; set by a person to {@code true}: hands off. */
  static final String MAINTENANCE = "shipshape.dev/maintenance";

  /** The times of restarts, oldest first, with commas between. */
  public static final String RESTARTS = "shipshape.dev/restarts";

  public static final String RESTART_COUNT = "shipshape.dev/restart-count";
  public static final String RESTART_REASON = "shipshape.dev/restart-reason";

  /** The time of the last restart whose result is known, and the result. */
  public static final String RESTART_RESULT = "shipshape.dev/restart-result";

  private OperatorAnnotations() {}

  static @Nullable String of(HasMetadata object, String name) {
    return Objects.requireNonNullElseGet(
            object.getMetadata().getAnnotations(), Map::<String, String>of)
        .get(name);
  }
}
