package dev.shipshape.janitor.prune;

import java.util.Locale;

/** How the deletion of one planned session came out. */
public sealed interface Outcome {

  /** Deleted, and seen to be gone. */
  record Gone() implements Outcome {}

  /** Found to be gone by a later run than the one that deleted it, which was killed or not told. */
  record FoundGone() implements Outcome {}

  /** Somebody else had deleted it: as good as done. */
  record AlreadyGone() implements Outcome {}

  /** Its name belongs to another session by now, which was left alone: as good as done. */
  record Replaced() implements Outcome {}

  /** It changed since it was listed, and by the rules it stays now. */
  record Changed(Verdict.Reason reason) implements Outcome {}

  /** It is not as it was when the plan was saved, so nobody has approved of this. */
  record Altered() implements Outcome {}

  /**
   * Accepted, but still there at the deadline.
   *
   * @param holding what holds it, such as its finalizers
   */
  record Remaining(String holding) implements Outcome {}

  /**
   * Not deleted, as far as is known.
   *
   * @param open whether it may have been deleted all the same, since nothing could be seen of it
   *     after the last request that may have been carried out
   */
  record Failed(String message, boolean open) implements Outcome {
    Failed(String message) {
      this(message, false);
    }
  }

  /** Not tried: the run was told to stop before, or the server carried nothing out. */
  record NotTried() implements Outcome {}

  /** One word for records and metrics. */
  default String word() {
    return switch (this) {
      case Gone _, FoundGone _ -> "gone";
      case AlreadyGone _ -> "already-gone";
      case Replaced _ -> "replaced";
      case Changed _, Altered _ -> "changed";
      case Remaining _ -> "remaining";
      case Failed _ -> "failed";
      case NotTried _ -> "not-tried";
    };
  }

  /** What there is to say beside the word; empty where nothing. */
  default String detail() {
    return switch (this) {
      case Changed changed -> changed.reason().name().toLowerCase(Locale.ROOT);
      case Remaining remaining -> remaining.holding();
      case Failed failed -> failed.message();
      case FoundGone _ ->
          "found when looked at again: the run before was killed, or had lost the answer";
      case Altered _ -> "not as it was when the plan was saved";
      case Gone _, AlreadyGone _, Replaced _, NotTried _ -> "";
    };
  }
}
