package dev.shipshape.janitor.restart;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One check of the operator.
 *
 * @param operator its name in the settings
 * @param at when, by our clock
 * @param signature the name of the signature by which it was judged
 * @param detail of the diagnosis, in one line; empty if there is nothing to say
 * @param stuckSince when it was first found stuck; null if it is not
 * @param stuckUntil the last check that found it stuck; null unless this one could not tell
 * @param silence that it logs nothing although sessions wait, in one line; null if it is not so
 * @param governor why the governor would refuse a restart after this check; null if it would not
 * @param armed whether a stuck operator is restarted
 * @param restartReason what a restart answers to; null if nothing calls for one
 * @param refusal why it was not restarted; null if it was, or need not be
 * @param refusalDetail in one line; empty if it was not refused
 * @param restartedAt the time that its pods bear now; null if this check did not restart it
 * @param result what an earlier restart came to, reported once; null if there is nothing to report
 * @param restarts what the cluster remembers of restarts; null if the workload could not be read
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
   * @param last the last one, by anybody; null if there was none
   * @param ours by janitors, as far as the workload remembers them, the newest last
   * @param count by janitors, all of them
   * @param reason of the newest by a janitor; null if there is none
   * @param result the time of the newest whose result is known, and the result; null if there is
   *     none
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
