package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;

/**
 * What is kept of one object.
 *
 * @param namespace empty for objects that have none
 * @param standing what its status says
 * @param aboutThis whether the status is about the content that the object has now: a status
 *     outlives a change of the content until somebody writes it anew
 * @param at when the status, or of a record the content, was written by the API server's clock, in
 *     seconds since 1970; 0 where it is not told
 * @param earliest the same, not later than what the status says was first said: what was seen to be
 *     said is of then, and what was there when it was first seen may be as old as the object
 * @param holdsSecrets whether it holds secrets, so that its hash does not say all; of those that do
 *     not count as known invalid nobody asks
 * @param stampedOtherwise whether it is annotated with the hash of another content
 * @param details what is told about an invalid one; of others nothing is kept
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

  /** Whether its configuration counts as known invalid. */
  public boolean invalid() {
    return switch (role) {
      case Role.InvalidRecord ignored -> true;
      case Role.Backup ignored -> false;
      case Role.Current ignored -> says(ConfigStatus.INVALID);
    };
  }

  /** Whether a revision's status says that its configuration is invalid, and nothing else does. */
  public boolean suspected() {
    return says(ConfigStatus.SUSPECTED);
  }

  /** Whether it is known by its configuration: as invalid, or as suspected. */
  public boolean isInvalidOrSuspected() {
    return invalid() || suspected();
  }

  /** Whether this is what a record of an invalid configuration is. */
  public boolean isInvalidRecord() {
    return role instanceof Role.InvalidRecord;
  }

  /** The same, by what is known besides its own status. */
  public IndexedObject judged(ConfigStatus verdict, long since, FailureDetails why) {
    return with(verdict, since, earliest, why);
  }

  /** The same, as the object of a node that was made from it says. */
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

  /** Whether an object in use says this of the content that it has now. */
  public boolean says(ConfigStatus said) {
    return role instanceof Role.Current && standing == said && aboutThis;
  }

  /** What makes the object one of its kind, as the feed writes it. */
  public String key() {
    return key(namespace, name);
  }

  /** The key of an object of these names. */
  public static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
