package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.identity.Identity;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules for one guarded resource.
 *
 * @param name the name in messages and metrics
 * @param identity the rules that make two objects the same configuration
 * @param records the names of records of invalid and of good configurations; null if there are none
 * @param conditions the status conditions that mark a configuration as invalid or provisioned
 * @param failure the fields that describe a failure
 * @param probe the object for dry-run tests of the guard; null if there is none
 * @param revisions the link from a node's object to its revision; null if there is none. Requires
 *     {@code stampOnly}
 * @param rollout the rollout whose writes may be rollbacks; null if none is known
 * @param stampOnly whether objects are only stamped with hashes and never refused. If the guard has
 *     {@code revisions}, its objects are watched for their reports about revisions
 * @param acrossNamespaces whether a configuration that is known invalid in one namespace is refused
 *     in all
 * @param namedAfterNodes whether objects are named after nodes. Objects of a guard with records
 *     always are
 * @param origins the link from an object to the objects that it was generated from; null if there
 *     is none
 */
public record Guard(
    String name,
    GuardedResource resource,
    Identity identity,
    @Nullable RecordNames records,
    StatusConditions conditions,
    FailureFields failure,
    @Nullable Probe probe,
    @Nullable RevisionLink revisions,
    @Nullable Rollout rollout,
    boolean stampOnly,
    boolean acrossNamespaces,
    boolean namedAfterNodes,
    @Nullable Origins origins) {

  /** Returns the guards, at most one for each resource, by the resource's name in kubectl. */
  public static Map<String, Guard> byResource(Collection<Guard> guards) {
    return guards.stream()
        .collect(
            Collectors.toUnmodifiableMap(
                guard -> guard.resource().toString(), Function.identity()));
  }

  /** Whether its objects are watched: they say what is invalid, or confirm it of revisions. */
  public boolean isWatched() {
    return !stampOnly || revisions != null;
  }

  public Role roleOf(JsonNode object) {
    var metadata = object.path("metadata");
    return records == null
        ? new Role.Current(metadata.path("name").asText())
        : records.roleOf(metadata);
  }

  /** Whether a configuration known invalid in one namespace is refused in the other. */
  public boolean reaches(String from, String to) {
    return acrossNamespaces || from.equals(to);
  }

  /** Whether object names contain the node's name. Names of revisions do not. */
  public boolean namesNodes() {
    return records != null || namedAfterNodes;
  }

  public boolean isProbe(ConfigHash hash) {
    return probe != null && probe.hash().equals(hash);
  }

  /** Returns the verdict of its status: undecided if there is no configuration to judge. */
  public ConfigStatus statusOf(JsonNode object) {
    return object.hasNonNull(identity.content())
        ? conditions.statusOf(object)
        : ConfigStatus.UNDECIDED;
  }
}
