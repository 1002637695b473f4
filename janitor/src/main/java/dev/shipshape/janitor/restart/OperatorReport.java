package dev.shipshape.janitor.restart;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The report of one check of the operator: see docs/reference/janitor-status.md#an-operator.
 * Unknown fields are null or empty.
 *
 * @param at by the local clock
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record OperatorReport(
    String operator,
    Instant at,
    Workload workload,
    String signature,
    Diagnosis.Kind diagnosis,
    String detail,
    @Nullable Instant stuckSince,
    @Nullable String silence,
    @Nullable RestartRefusal governor,
    boolean armed,
    @Nullable String restartReason,
    @Nullable RestartRefusal refusal,
    String refusalDetail,
    @Nullable Instant restartedAt,
    @Nullable RestartResult result,
    @Nullable Restarts restarts) {
  public OperatorReport {
    // JSON that is not complete must be an error, as JSON that is not valid.
    Objects.requireNonNull(operator);
    Objects.requireNonNull(at);
    Objects.requireNonNull(workload);
    Objects.requireNonNull(diagnosis);
    Objects.requireNonNull(detail);
    Objects.requireNonNull(refusalDetail);
  }

  /**
   * The restarts that are recorded in the cluster.
   *
   * @param ours by janitors, the newest last, as far as they are recorded
   * @param result the time of the newest with a known result, and the result
   */
  public record Restarts(
      @Nullable Instant last,
      List<Instant> ours,
      @Nullable String reason,
      @Nullable String result) {
    public Restarts {
      ours = List.copyOf(ours);
    }

    static Restarts of(OperatorSnapshot operator) {
      var object = operator.object();
      return new Restarts(
          operator.restarts().isEmpty() ? null : operator.restarts().getLast(),
          operator.ours(),
          OperatorAnnotations.of(object, OperatorAnnotations.RESTART_REASON),
          OperatorAnnotations.of(object, OperatorAnnotations.RESTART_RESULT));
    }
  }
}
