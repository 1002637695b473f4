package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;

/**
 * The index entry of one object.
 *
 * @param namespace empty for cluster-scoped objects
 * @param standing the outcome that its status reports
 * @param aboutThis whether the status is about the current content: a status stays unchanged after
 *     a change of the content until the operator updates it
 * @param at when the status was written, for a record the content: seconds since 1970 by the API
 *     server's clock; 0 if not known
 * @param earliest when the status may first have been reported: equal to {@code at} if the change
 *     was seen; for an object that was first seen with this status, down to its creation
 * @param holdsSecrets whether it has secrets, which its hash does not cover; false for objects that
 *     do not make a configuration known invalid
 * @param stampedOtherwise whether its hash annotation differs from its hash
 * @param details empty unless the object is invalid
 */
public record IndexedObject(
    String namespace,
    String name,
    Role role,
    ConfigHash hash,
    ConfigStatus standing,
    boolean aboutThis,
    long at,
    long earliest,
    boolean holdsSecrets,
    boolean stampedOtherwise,
    FailureDetails details) {

  /** Whether it makes its configuration known invalid. */
  public boolean invalid() {
    return switch (role) {
      case Role.InvalidRecord ignored -> true;
      case Role.Backup ignored -> false;
      case Role.Current ignored -> says(ConfigStatus.INVALID);
    };
  }

  /** Whether a revision's status reports "invalid" and no node's object confirms it. */
  public boolean suspected() {
    return says(ConfigStatus.SUSPECTED);
  }

  public boolean isInvalidOrSuspected() {
    return invalid() || suspected();
  }

  public boolean isInvalidRecord() {
    return role instanceof Role.InvalidRecord;
  }

  /** Returns a copy with another status. */
  public IndexedObject judged(ConfigStatus verdict, long since, FailureDetails why) {
    return with(verdict, since, earliest, why);
  }

  /** Returns a copy with the failure that a node's object reports. */
  public IndexedObject saidBy(IndexedObject node, FailureDetails why) {
    return with(standing, node.at() > 0 ? node.at() : at, node.earliest(), why);
  }

  private IndexedObject with(ConfigStatus verdict, long since, long from, FailureDetails why) {
    return new IndexedObject(
        namespace,
        name,
        role,
        hash,
        verdict,
        aboutThis,
        since,
        from,
        holdsSecrets,
        stampedOtherwise,
        why);
  }

  /** Whether the object is in use and reports this status for its current content. */
  public boolean says(ConfigStatus said) {
    return role instanceof Role.Current && standing == said && aboutThis;
  }

  /** The key within its kind: {@code namespace/name} or {@code name}. */
  public String key() {
    return key(namespace, name);
  }

  public static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
