package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Records told by their names: {@code worker-1-invalid} is one of {@code worker-1}. If anybody may
 * write records, only if an owner reference says so too, because a node's own name may end in the
 * suffix.
 *
 * @param ownerApiVersion of the owner that confirms a record, such as {@code v1}
 * @param ownerKind of the owner that confirms a record, such as {@code Node}
 * @param invalidSuffix ends the names of records of invalid configurations
 * @param backupSuffix ends the names of records of good ones
 * @param writers the users who alone may write records; empty for anybody
 */
public record RecordNames(
    String ownerApiVersion,
    String ownerKind,
    String invalidSuffix,
    String backupSuffix,
    List<String> writers) {

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

  /** Whether this user may write records. */
  public boolean mayBeWrittenBy(String user) {
    return writers.isEmpty() || writers.contains(user);
  }

  /** The name that a node's record of a good configuration has. */
  public String backupOf(String node) {
    return node + backupSuffix;
  }

  /** Whether a record could have this name, whether or not an owner confirms it. */
  public boolean isNamedLikeOne(String name) {
    return name.endsWith(invalidSuffix) || name.endsWith(backupSuffix);
  }

  private boolean isRecord(JsonNode metadata, String name, String suffix) {
    return name.endsWith(suffix)
        && (!writers.isEmpty() || isOwnedBy(metadata, without(name, suffix)));
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
