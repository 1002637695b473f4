package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Records told by their names: {@code worker-1-invalid} is one of {@code worker-1}, if an owner
 * reference says so too, because a node's own name may end in the suffix.
 *
 * @param ownerApiVersion of the owner that confirms a record, such as {@code v1}
 * @param ownerKind of the owner that confirms a record, such as {@code Node}
 * @param invalidSuffix ends the names of records of invalid configurations
 * @param backupSuffix ends the names of records of good ones
 * @param ownerless whether a name alone makes a record, because an admission policy says who may
 *     write such names; an object that the owner of its own full name owns is that one's
 */
public record RecordNames(
    String ownerApiVersion,
    String ownerKind,
    String invalidSuffix,
    String backupSuffix,
    boolean ownerless) {

  Role roleOf(JsonNode metadata) {
    var name = metadata.path("name").asText();
    if (isRecord(metadata, name, invalidSuffix)) {
      return new Role.InvalidRecord(without(name, invalidSuffix));
    }
    if (isRecord(metadata, name, backupSuffix)) {
      return new Role.Backup(without(name, backupSuffix));
    }
    return new Role.Current(name);
  }

  /** The name that a node's record of a good configuration has. */
  public String backupOf(String node) {
    return node + backupSuffix;
  }

  /** The name that a node's record of an invalid configuration has. */
  public String invalidOf(String node) {
    return node + invalidSuffix;
  }

  /** Whether a record could have this name, whether or not an owner confirms it. */
  public boolean isNamedLikeOne(String name) {
    return name.endsWith(invalidSuffix) || name.endsWith(backupSuffix);
  }

  private boolean isRecord(JsonNode metadata, String name, String suffix) {
    return name.endsWith(suffix)
        && (ownerless ? !isOwnedBy(metadata, name) : isOwnedBy(metadata, without(name, suffix)));
  }

  private boolean isOwnedBy(JsonNode metadata, String owner) {
    for (var reference : metadata.path("ownerReferences")) {
      if (reference.path("apiVersion").asText().equals(ownerApiVersion)
          && reference.path("kind").asText().equals(ownerKind)
          && reference.path("name").asText().equals(owner)) {
        return true;
      }
    }
    return false;
  }

  private static String without(String name, String suffix) {
    return name.substring(0, name.length() - suffix.length());
  }
}
