package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Recognises records by their names: {@code worker-1-invalid} is a record of {@code worker-1} if an
 * owner reference to the node confirms it. The owner is required because a node's own name may end
 * in the suffix.
 *
 * @param ownerApiVersion the apiVersion of the owner that confirms a record, such as {@code v1}
 * @param ownerKind the kind of the owner that confirms a record, such as {@code Node}
 * @param ownerless whether the name alone is enough, because an admission policy restricts who may
 *     write such names. An object whose owner has the object's full name is no record
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
      return new Role.InvalidRecord(withoutSuffix(name, invalidSuffix));
    }
    if (isRecord(metadata, name, backupSuffix)) {
      return new Role.Backup(withoutSuffix(name, backupSuffix));
    }
    return new Role.Current(name);
  }

  public String backupOf(String node) {
    return node + backupSuffix;
  }

  public String invalidOf(String node) {
    return node + invalidSuffix;
  }

  /** Checks the suffix only, not the owner. */
  public boolean hasRecordSuffix(String name) {
    return name.endsWith(invalidSuffix) || name.endsWith(backupSuffix);
  }

  private boolean isRecord(JsonNode metadata, String name, String suffix) {
    return name.endsWith(suffix)
        && (ownerless
            ? !isOwnedBy(metadata, name)
            : isOwnedBy(metadata, withoutSuffix(name, suffix)));
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

  private static String withoutSuffix(String name, String suffix) {
    return name.substring(0, name.length() - suffix.length());
  }
}
