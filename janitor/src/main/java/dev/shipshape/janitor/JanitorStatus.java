package dev.shipshape.janitor;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.OperatorReport;
import org.jspecify.annotations.Nullable;

/**
 * What the leading janitor last saw, as it publishes it: see docs/reference/janitor-status.md.
 *
 * @param pruneArmed whether it deletes sessions
 * @param restartArmed whether it restarts the operator
 * @param lastRun of the pruner, without the single deletions; null before the first
 * @param lastGoodRun the last one that did all that it should; null before the first
 * @param operator the last check of it; null before the first
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record JanitorStatus(
    boolean pruneArmed,
    boolean restartArmed,
    @Nullable RunReport lastRun,
    @Nullable RunReport lastGoodRun,
    @Nullable OperatorReport operator) {
  /** The ConfigMap that holds it, in the namespace of the Lease. */
  public static final String CONFIG_MAP = "shipshape-janitor-status";

  /** The ConfigMap's key. */
  public static final String KEY = "status.json";

  JanitorStatus withRun(RunReport run) {
    var summary = run.summary();
    return new JanitorStatus(
        pruneArmed, restartArmed, summary, run.isGood() ? summary : lastGoodRun, operator);
  }

  JanitorStatus withOperator(OperatorReport report) {
    return new JanitorStatus(pruneArmed, restartArmed, lastRun, lastGoodRun, report);
  }
}
