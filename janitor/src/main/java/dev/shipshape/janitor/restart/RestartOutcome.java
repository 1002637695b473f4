package dev.shipshape.janitor.restart;

import java.time.Instant;

/** What came of a check of the operator. */
public sealed interface RestartOutcome {

  /** The operator is not stuck. */
  record NotNeeded() implements RestartOutcome {}

  /** It is stuck and was not restarted. */
  record Refused(RestartRefusal reason, String detail) implements RestartOutcome {}

  /**
   * It was restarted.
   *
   * @param at the time that its pods bear now
   * @param reason in one line
   */
  record Restarted(Instant at, String reason) implements RestartOutcome {}
}
