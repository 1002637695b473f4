package dev.shipshape.janitor.restart;

import java.util.Optional;

/**
 * One check of the operator.
 *
 * @param stall whether it logs nothing although sessions wait
 * @param waiting the sessions that wait for the operator; empty where unknown
 * @param result what an earlier restart came to, told once
 * @param governor what it would say to a restart after this check
 */
public record OperatorReport(
    Diagnosis diagnosis,
    SignalState stall,
    Optional<Waiting> waiting,
    RestartOutcome restart,
    Optional<RestartResult> result,
    GovernorState governor) {

  /** Whether a stuck operator is not restarted for this reason. */
  public boolean isRefusedFor(RestartRefusal reason) {
    return restart instanceof RestartOutcome.Refused refused && refused.reason() == reason;
  }
}
