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
 * @param invalidWhen when an object's own status says that its configuration is invalid; null where
 *     it never does
 * @param told where an invalid object says more about it
 * @param probe what to try the guard with; null where there is nothing
 */
public record Guard(
    String name,
    GuardedResource resource,
    Identity identity,
    @Nullable RecordNames records,
    @Nullable FieldEquals invalidWhen,
    Told told,
    @Nullable Probe probe) {

  /** What an object is to this guard. */
  public Role roleOf(JsonNode object) {
    var metadata = object.path("metadata");
    return records == null
        ? new Role.Current(metadata.path("name").asText())
        : records.roleOf(metadata);
  }

  /** Whether nothing is ever known invalid, so that hashes are stamped and no more. */
  public boolean stampsOnly() {
    return records == null && invalidWhen == null;
  }

  /** Whether this is the identity of the guard's own probe. */
  public boolean isProbe(ConfigHash hash) {
    return probe != null && probe.hash().equals(hash);
  }

  /** Whether the object's own status says that its configuration is invalid. */
  public boolean saysInvalid(JsonNode object) {
    return invalidWhen != null && invalidWhen.holds(object);
  }
}
