package dev.shipshape.janitor.session;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a verdict needs of a CFS session, and nothing more: a listed page is reduced to these at
 * once.
 *
 * @param uid null in the REST world, which has none
 * @param resourceVersion null in the REST world
 * @param state {@code pending}, {@code running}, {@code complete} or whatever else stands there;
 *     empty where nothing does
 * @param job the name of the session's Job; null before there is one
 */
public record Session(
    String namespace,
    String name,
    @Nullable String uid,
    @Nullable String resourceVersion,
    String state,
    Times times,
    @Nullable String job,
    Set<Mark> marks) {

  /** A property that keeps a session from being pruned, or keeps it longer. */
  public enum Mark {
    /** The user asked to keep it. */
    KEEP,
    /** It holds the only record of an image that it made. */
    IMAGE_RESULT,
    /** Its deletion has begun already. */
    TERMINATING,
    /** One of its times is there but cannot be read. */
    UNREADABLE_TIME,
    /** It is complete, and does not say that it succeeded. */
    FAILED
  }

  public Session {
    marks = Set.copyOf(marks);
  }

  /**
   * Whether both are the same session, not only the same name: by uid, and where there is none (the
   * REST world) by start time and Job, as far as both have them: a session that waits gets its Job
   * later.
   */
  public boolean isSameAs(Session other) {
    if (!namespace.equals(other.namespace) || !name.equals(other.name)) {
      return false;
    }
    if (uid != null || other.uid != null) {
      return Objects.equals(uid, other.uid);
    }
    return mayBeEqual(times.started(), other.times.started()) && mayBeEqual(job, other.job);
  }

  private static boolean mayBeEqual(@Nullable Object one, @Nullable Object other) {
    return one == null || other == null || one.equals(other);
  }

  /** How logs and records name it. */
  public String reference() {
    return namespace + "/" + name;
  }
}
