package dev.shipshape.janitor.session;

import static dev.shipshape.service.Section.written;

/** The result of the deletion of one object; the detail may be empty. */
public record DeleteResult(Status status, String detail) {

  /** See docs/reference/metrics.md#result-of-deletions_total. */
  public enum Status {
    PLANNED,
    GONE,
    ALREADY_GONE,
    CHANGED,
    /** The deletion was accepted; the object may still exist. */
    TERMINATING,
    REMAINING,
    FAILED,
    /** The object may have been deleted: the next run lists again. */
    UNKNOWN,
    NOT_TRIED;

    /** The word in reports, tables and metrics, which count UNKNOWN as failed. */
    public String word() {
      return this == UNKNOWN ? "failed" : written(this);
    }
  }

  public DeleteResult(Status status) {
    this(status, "");
  }
}
