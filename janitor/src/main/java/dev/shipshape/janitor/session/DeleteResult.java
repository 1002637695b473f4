package dev.shipshape.janitor.session;

import static dev.shipshape.service.Section.written;

/**
 * What became of one object that was to be deleted.
 *
 * @param detail what there is to say beside the status; empty where nothing
 */
public record DeleteResult(Status status, String detail) {

  /** How it ended: docs/reference/metrics.md#result-of-deletions_total. */
  public enum Status {
    /** It would be deleted. */
    PLANNED,
    GONE,
    ALREADY_GONE,
    CHANGED,
    /** The deletion was accepted, and whether it is gone is still to be seen. */
    TERMINATING,
    REMAINING,
    FAILED,
    /** It may have been deleted: the next run looks. */
    UNKNOWN,
    NOT_TRIED;

    /** The word in records, tables and metrics. */
    public String word() {
      return this == UNKNOWN ? "failed" : written(this);
    }
  }

  /** One without a detail. */
  public DeleteResult(Status status) {
    this(status, "");
  }
}
