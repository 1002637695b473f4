package dev.shipshape.janitor.session;

import static dev.shipshape.service.Section.written;

/**
 * What became of one object that was to be deleted.
 *
 * @param detail what there is to say beside the status; empty where nothing
 */
public record DeleteResult(Status status, String detail) {

  /** How it ended. */
  public enum Status {
    /** It would be deleted. */
    PLANNED,
    /** It is gone. */
    GONE,
    /** There was none of that name: as good as done. */
    ALREADY_GONE,
    /** It is not as it was when it was chosen, or another one has its name: it was left. */
    CHANGED,
    /** The deletion was accepted, and whether it is gone is still to be seen. */
    TERMINATING,
    /** The deletion was accepted, and it or something of it was still there when the wait ended. */
    REMAINING,
    /** It was not deleted. */
    FAILED,
    /** It may have been deleted: the next run looks. */
    UNKNOWN,
    /** It was not tried: the run was told to stop, or the server carried nothing out. */
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
