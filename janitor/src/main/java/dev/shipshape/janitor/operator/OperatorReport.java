package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.prune.PruneReport;
import java.util.Optional;

/**
 * One check of the operator.
 *
 * @param pruned the run of the pruner that came before the restart
 */
public record OperatorReport(
    Diagnosis diagnosis, Optional<PruneReport> pruned, RestartOutcome restart) {

  static OperatorReport calm(Diagnosis diagnosis) {
    return new OperatorReport(diagnosis, Optional.empty(), new RestartOutcome.NotNeeded());
  }
}
