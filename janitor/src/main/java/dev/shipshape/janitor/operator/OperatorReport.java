package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.evidence.Evidence;
import dev.shipshape.janitor.evidence.Waiting;
import dev.shipshape.janitor.prune.PruneReport;
import java.util.Map;
import java.util.Optional;

/**
 * One check of the operator.
 *
 * @param evidence what was found beside the log's signature, of each kind
 * @param waiting the sessions that wait for the operator; empty where unknown
 * @param pruned the run of the pruner that came before the restart
 * @param aftermath what became of an earlier restart, told once
 * @param governor what it would say to a restart after this check
 */
public record OperatorReport(
    Diagnosis diagnosis,
    Map<Evidence.Kind, Evidence> evidence,
    Optional<Waiting> waiting,
    Optional<PruneReport> pruned,
    RestartOutcome restart,
    Optional<Aftermath> aftermath,
    GovernorState governor) {

  public OperatorReport {
    evidence = Map.copyOf(evidence);
  }

  /** Whether a stuck operator is not restarted for this reason. */
  public boolean isRefusedFor(Refusal reason) {
    return restart instanceof RestartOutcome.Refused refused && refused.reason() == reason;
  }
}
