package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.identity.Identity;
import org.jspecify.annotations.Nullable;

/**
 * How one resource is guarded.
 *
 * @param name what messages and metrics call it
 * @param identity what makes two objects the same configuration
 * @param records how records of invalid and of good configurations are named; null where the
 *     resource has none
 * @param signs by what an object's own status says that its configuration is invalid or works
 * @param told where an invalid object says more about it
 * @param probe what to try the guard with; null where there is nothing
 * @param revisions where the revision that an object was made from is found; null where there are
 *     none. Only guards that stamp have revisions
 * @param rollout the rollout that may go back; null where nothing says that one is going on
 * @param stampsOnly whether hashes are stamped and nothing is ever refused. The objects of such a
 *     guard that has revisions are watched all the same, for what they say of these
 * @param acrossNamespaces whether what is known invalid in one namespace is refused in all
 * @param namedAfterNodes whether objects are named after nodes; those of a guard with records are
 * @param origins how an object names those that it was made of; null if it does not
 */
public record Guard(
    String name,
    GuardedResource resource,
    Identity identity,
    @Nullable RecordNames records,
    StatusConditions signs,
    FailureFields told,
    @Nullable SelfTestObject probe,
    @Nullable RevisionLink revisions,
    @Nullable Rollout rollout,
    boolean stampsOnly,
    boolean acrossNamespaces,
    boolean namedAfterNodes,
    @Nullable Origins origins) {

  /** What an object is to this guard. */
  public Role roleOf(JsonNode object) {
    var metadata = object.path("metadata");
    return records == null
        ? new Role.Current(metadata.path("name").asText())
        : records.roleOf(metadata);
  }

  /** Whether what is known invalid in one namespace counts in another one. */
  public boolean reaches(String from, String to) {
    return acrossNamespaces || from.equals(to);
  }

  /** Whether an object's name says which node it is about; a revision's does not. */
  public boolean namesNodes() {
    return records != null || namedAfterNodes;
  }

  /** Whether this is the identity of the guard's own probe. */
  public boolean isProbe(ConfigHash hash) {
    return probe != null && probe.hash().equals(hash);
  }

  /** What the object's own status says. */
  public ConfigStatus standingOf(JsonNode object) {
    return signs.standingOf(object);
  }
}
