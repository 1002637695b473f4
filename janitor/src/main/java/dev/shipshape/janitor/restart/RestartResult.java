package dev.shipshape.janitor.restart;

import static dev.shipshape.service.Section.written;

import java.time.Instant;

/** The result of a restart. */
public enum RestartResult {
  CURED("RestartCured", "the restart is complete and helped"),
  OVERDUE("RestartOverdue", "the rollout is not complete after ten minutes"),
  REVERTED("RestartReverted", "something, such as a GitOps tool, removed the restart's annotation"),
  INEFFECTIVE("RestartIneffective", "the rollout is complete, and it is stuck again"),
  /** Its log could not be read, or shows failures, but too few. */
  UNCLEAR("RestartUnclear", "it did not show in time whether it helped");

  private final String eventReason;
  private final String note;

  RestartResult(String eventReason, String note) {
    this.eventReason = eventReason;
    this.note = note;
  }

  /** The reason of the Event. */
  public String eventReason() {
    return eventReason;
  }

  /** The note of the Event, one line. */
  public String note() {
    return note;
  }

  String annotation(Instant restart) {
    return restart + " " + written(this);
  }
}
