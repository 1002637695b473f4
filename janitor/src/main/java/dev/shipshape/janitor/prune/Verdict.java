package dev.shipshape.janitor.prune;

import java.time.Duration;
import java.time.Instant;

/** What the rules say of one session. */
public sealed interface Verdict {

  /**
   * It may go.
   *
   * @param since the time that its age counts from
   * @param age by the server's clock
   */
  record Prune(Instant since, Duration age) implements Verdict {}

  /** It stays. */
  record Keep(Reason reason) implements Verdict {}

  /** Why a session stays. */
  enum Reason {
    /** The batcher does not name its sessions so. */
    NAME,
    /** Its state is not exactly {@code complete}. */
    STATE,
    /** The user's keep annotation or tag. */
    KEEP_MARK,
    /** It holds the only record of an image. */
    IMAGE_RESULT,
    /** Its deletion has begun already. */
    TERMINATING,
    /** A time in it cannot be read or be right, or there is none. */
    UNKNOWN_AGE,
    /** The time that its age counts from lies in the future. */
    FUTURE,
    /** Not old enough. */
    YOUNG,
    /** It does not say that it succeeded, and is not old enough for that. */
    FAILED,
    /** One of the newest that are always kept. */
    NEWEST
  }
}
