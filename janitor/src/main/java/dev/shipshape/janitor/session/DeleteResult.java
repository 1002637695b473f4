package dev.shipshape.janitor.session;

import java.util.Locale;

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
    /** Its name belongs to another object by now, which was left alone: as good as done. */
    REPLACED,
    /** It is not as it was when it was chosen, and was left. */
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
      return this == UNKNOWN ? "failed" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** One without a detail. */
  public DeleteResult(Status status) {
    this(status, "");
  }
}
