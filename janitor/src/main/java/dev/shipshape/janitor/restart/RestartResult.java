package dev.shipshape.janitor.restart;

import static dev.shipshape.service.Section.written;

import java.time.Instant;

/** What a restart came to. */
public enum RestartResult {
  /** The rollout is complete and the symptom is gone. */
  CURED,
  /** The rollout is not complete after ten minutes. */
  OVERDUE,
  /** Something took the restart's annotation back, as GitOps tools do: the rollout was undone. */
  REVERTED,
  /** The rollout is complete, and the operator is stuck again. */
  INEFFECTIVE,
  /** Twenty minutes did not show whether it helped: its log could not be read, or tells neither. */
  UNCLEAR;

  /** How the Deployment remembers it. */
  String annotation(Instant restart) {
    return restart + " " + written(this);
  }
}
