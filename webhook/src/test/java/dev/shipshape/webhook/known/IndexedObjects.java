package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import java.nio.charset.StandardCharsets;

/** Objects to be known. */
final class IndexedObjects {
  private IndexedObjects() {}

  static ConfigHash hash(String content) {
    return ConfigHash.of(content.getBytes(StandardCharsets.UTF_8));
  }

  /** An object whose status says this of its own content since then. */
  static IndexedObject object(
      String name, Role role, ConfigHash hash, ConfigStatus standing, long at) {
    return new IndexedObject(
        "", name, "uid", role, hash, standing, true, at, at, false, false, FailureDetails.NONE);
  }
}
