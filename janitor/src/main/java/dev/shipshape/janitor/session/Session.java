package dev.shipshape.janitor.session;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a CFS session that {@link dev.shipshape.janitor.prune.Policy} needs. Only these are
 * held in memory.
 *
 * @param uid null for REST, which has none
 * @param resourceVersion null for REST
 * @param state {@code pending}, {@code running}, {@code complete} or another; empty if absent
 * @param job the name of the session's Job; null before the Job exists
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
    KEEP,
    /** It contains the only record of an image that it built. */
    IMAGE_RESULT,
    TERMINATING,
    UNREADABLE_TIME,
    /** It is complete, but does not report success. */
    FAILED
  }

  public Session {
    marks = Set.copyOf(marks);
  }

  /**
   * Checks whether both are the same session, not only of the same name: by uid, or without one
   * (REST) by start time and Job. A null matches: a waiting session gets these later.
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

  /** The name in logs and audit lines: {@code namespace/name}. */
  public String reference() {
    return namespace + "/" + name;
  }
}
