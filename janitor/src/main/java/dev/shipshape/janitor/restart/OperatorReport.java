package dev.shipshape.janitor.restart;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One check of the operator: see docs/reference/janitor-status.md#an-operator. What it does not say
 * or know is null, or an empty text.
 *
 * @param at by our clock
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
    @Nullable Instant stuckUntil,
    @Nullable String silence,
    @Nullable RestartRefusal governor,
    boolean armed,
    @Nullable String restartReason,
    @Nullable RestartRefusal refusal,
    String refusalDetail,
    @Nullable Instant restartedAt,
    @Nullable RestartResult result,
    @Nullable Restarts restarts) {

  /**
   * What the cluster remembers of restarts.
   *
   * @param ours by janitors, as far as the workload remembers them, the newest last
   * @param result the time of the newest whose result is known, and the result
   */
  public record Restarts(
      @Nullable Instant last,
      List<Instant> ours,
      int count,
      @Nullable String reason,
      @Nullable String result) {

    static Restarts of(OperatorSnapshot operator) {
      var object = operator.object();
      return new Restarts(
          operator.restarts().isEmpty() ? null : operator.restarts().getLast(),
          operator.ours(),
          operator.restartCount(),
          OperatorAnnotations.of(object, OperatorAnnotations.RESTART_REASON),
          OperatorAnnotations.of(object, OperatorAnnotations.RESTART_RESULT));
    }
  }
}
