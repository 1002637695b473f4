package dev.shipshape.janitor.operator;

/** What became of a restart. */
public enum Aftermath {
  /** The rollout is complete and the symptom is gone. */
  CURED,
  /** The rollout is not complete after ten minutes. */
  OVERDUE,
  /** Something took the restart's annotation back, as GitOps tools do: the rollout was undone. */
  REVERTED,
  /** The rollout is complete, and the operator is stuck again. */
  INEFFECTIVE,
  /** Twenty minutes did not show whether it helped: its log could not be read, or tells neither. */
  UNCLEAR
}
