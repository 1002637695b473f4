package dev.shipshape.webhook.guard;

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
 * @param perNode whether what is known invalid on one node is refused on that node alone, whatever
 *     the scope
 * @param revisions where an object's revision is found, the newest valid one of which passes; null
 *     where there are none
 * @param rollout the rollout that may go back; null where nothing says that one is going on
 * @param stampsOnly whether hashes are stamped and nothing is ever refused. The objects of such a
 *     guard that has revisions are watched all the same, for what they say of these
 */
public record Guard(
    String name,
    GuardedResource resource,
    Identity identity,
    @Nullable RecordNames records,
    StatusSigns signs,
    Told told,
    @Nullable Probe probe,
    boolean perNode,
    @Nullable RevisionLink revisions,
    @Nullable Rollout rollout,
    boolean stampsOnly) {

  /** What an object is to this guard. */
  public Role roleOf(JsonNode object) {
    var metadata = object.path("metadata");
    return records == null
        ? new Role.Current(metadata.path("name").asText())
        : records.roleOf(metadata);
  }

  /** Whether an object's name says which node it is about; a revision's does not. */
  public boolean namesNodes() {
    return perNode || records != null;
  }

  /** Whether this is the identity of the guard's own probe. */
  public boolean isProbe(ConfigHash hash) {
    return probe != null && probe.hash().equals(hash);
  }

  /** What the object's own status says. */
  public Standing standingOf(JsonNode object) {
    return signs.standingOf(object);
  }

  /** Whether the object's own status says that its configuration is invalid. */
  public boolean saysInvalid(JsonNode object) {
    return standingOf(object) == Standing.INVALID;
  }

  /** The same guard, which only stamps. */
  Guard stampingOnly() {
    return new Guard(
        name, resource, identity, records, signs, told, null, perNode, revisions, null, true);
  }
}
