package dev.shipshape.webhook.index;

import dev.shipshape.webhook.guard.Role;
import dev.shipshape.webhook.guard.Story;
import dev.shipshape.webhook.identity.ConfigHash;

/**
 * What is kept of one object.
 *
 * @param namespace empty for objects that have none
 * @param invalid whether its configuration counts as known invalid
 * @param holdsSecrets whether it holds secrets, so that its hash does not say all; of those that do
 *     not count as known invalid nobody asks
 * @param story what is told about an invalid one; of others nothing is kept
 */
public record IndexedObject(
    String namespace,
    String name,
    Role role,
    ConfigHash hash,
    boolean invalid,
    boolean holdsSecrets,
    Story story) {

  /** What makes the object one of its kind, as the feed writes it. */
  public String key() {
    return key(namespace, name);
  }

  static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
