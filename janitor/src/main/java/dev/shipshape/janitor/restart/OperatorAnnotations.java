package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/** Annotations and labels of an operator's workload for restarts. */
public final class OperatorAnnotations {
  /** On the pod template, as kubectl sets it; a change creates new pods. */
  public static final String RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";

  /** A label, because a rollback restores annotations. A person sets it to forbid restarts. */
  static final String MAINTENANCE = "shipshape.dev/maintenance";

  /** The times of restarts by janitors, oldest first, separated by commas. */
  public static final String RESTARTS = "shipshape.dev/restarts";

  public static final String RESTART_REASON = "shipshape.dev/restart-reason";

  /** The time of the last restart with a known result, and the result. */
  public static final String RESTART_RESULT = "shipshape.dev/restart-result";

  private OperatorAnnotations() {}

  static @Nullable String of(HasMetadata object, String name) {
    return object.getMetadata().getAnnotations().get(name);
  }
}
