package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;

/**
 * The index entry of one object.
 *
 * @param namespace empty for cluster-scoped objects
 * @param status the outcome that its status reports
 * @param isStatusCurrent whether the status is about the current content: a status stays unchanged
 *     after a change of the content until the operator updates it
 * @param writtenAt when the status was written, for a record the content: seconds since 1970 by the
 *     API server's clock; 0 if not known
 * @param earliestWrittenAt when the status may first have been reported: equal to {@code writtenAt}
 *     if the change was seen; for an object that was first seen with this status, down to its
 *     creation
 * @param holdsSecrets whether it has secrets, which its hash does not cover; false for objects that
 *     do not make a configuration known invalid
 * @param hasStaleHash whether its hash annotation differs from its hash
 * @param details empty if its status decides nothing and it is no record
 */
public record IndexedObject(
    String namespace,
    String name,
    String uid,
    Role role,
    ConfigHash hash,
    ConfigStatus status,
    boolean isStatusCurrent,
    long writtenAt,
    long earliestWrittenAt,
    boolean holdsSecrets,
    boolean hasStaleHash,
    FailureDetails details) {

  /** Whether it makes its configuration known invalid. */
  public boolean isInvalid() {
    return switch (role) {
      case Role.InvalidRecord ignored -> true;
      case Role.Backup ignored -> false;
      case Role.Current ignored -> hasCurrentStatus(ConfigStatus.INVALID);
    };
  }

  /** Whether a revision's status reports "invalid" and no node's object confirms it. */
  boolean isSuspected() {
    return hasCurrentStatus(ConfigStatus.SUSPECTED);
  }

  boolean isInvalidOrSuspected() {
    return isInvalid() || isSuspected();
  }

  public boolean isInvalidRecord() {
    return role instanceof Role.InvalidRecord;
  }

  /** Returns a copy with another status. */
  public IndexedObject withVerdict(ConfigStatus verdict, long since, FailureDetails details) {
    return with(verdict, isStatusCurrent, since, details);
  }

  /** Returns a copy whose status is about an earlier content. */
  IndexedObject withOutdatedStatus() {
    return with(status, false, writtenAt, details);
  }

  private IndexedObject with(
      ConfigStatus verdict, boolean isCurrent, long since, FailureDetails details) {
    return new IndexedObject(
        namespace,
        name,
        uid,
        role,
        hash,
        verdict,
        isCurrent,
        since,
        earliestWrittenAt,
        holdsSecrets,
        hasStaleHash,
        details);
  }

  /** Whether the object is in use and reports this status for its current content. */
  public boolean hasCurrentStatus(ConfigStatus other) {
    return role instanceof Role.Current && status == other && isStatusCurrent;
  }

  /** The key within its kind: {@code namespace/name} or {@code name}. */
  public String key() {
    return key(namespace, name);
  }

  public static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
