package dev.shipshape.janitor.prune;

import java.time.Duration;

/** The decision of {@link Policy} about one session. */
public sealed interface Verdict {

  /** The session may be deleted. The age is by the server's clock. */
  record Prune(Duration age) implements Verdict {}

  record Keep(Reason reason) implements Verdict {}

  /** Why a session is kept: docs/concepts/pruning.md#which-session-is-deleted. */
  enum Reason {
    NAME,
    STATE,
    KEEP_MARK,
    IMAGE_RESULT,
    TERMINATING,
    UNKNOWN_AGE,
    FUTURE,
    YOUNG,
    FAILED,
    NEWEST
  }
}
