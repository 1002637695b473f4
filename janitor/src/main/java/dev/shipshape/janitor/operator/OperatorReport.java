package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.prune.PruneReport;
import java.util.Optional;

/**
 * One check of the operator.
 *
 * @param pruned the run of the pruner that came before the restart
 * @param aftermath what became of an earlier restart, told once
 */
public record OperatorReport(
    Diagnosis diagnosis,
    Optional<PruneReport> pruned,
    RestartOutcome restart,
    Optional<Aftermath> aftermath) {

  static OperatorReport calm(Diagnosis diagnosis) {
    return of(diagnosis, Optional.empty(), new RestartOutcome.NotNeeded());
  }

  static OperatorReport of(
      Diagnosis diagnosis, Optional<PruneReport> pruned, RestartOutcome restart) {
    return new OperatorReport(diagnosis, pruned, restart, Optional.empty());
  }

  OperatorReport with(Optional<Aftermath> told) {
    return new OperatorReport(diagnosis, pruned, restart, told);
  }
}
