package dev.shipshape.janitor.restart;

import static dev.shipshape.service.Section.written;

import java.time.Instant;

/** What a restart came to. */
public enum RestartResult {
  CURED("RestartCured", "the restart is complete and helped"),
  OVERDUE("RestartOverdue", "the rollout is not complete after ten minutes"),
  /** The rollout was undone. */
  REVERTED(
      "RestartReverted", "something, such as a GitOps tool, took the restart's annotation back"),
  INEFFECTIVE("RestartIneffective", "the rollout is complete, and it is stuck again"),
  /** Its log could not be read, or tells neither. */
  UNCLEAR("RestartUnclear", "twenty minutes did not show whether it helped");

  private final String event;
  private final String note;

  RestartResult(String event, String note) {
    this.event = event;
    this.note = note;
  }

  /** The reason of the Event that tells it. */
  public String event() {
    return event;
  }

  /** In one line, for people. */
  public String note() {
    return note;
  }

  /** How the Deployment remembers it. */
  String annotation(Instant restart) {
    return restart + " " + written(this);
  }
}
