package dev.shipshape.webhook.index;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import java.nio.charset.StandardCharsets;

/** Objects to fill an index with. */
final class IndexedObjects {
  private IndexedObjects() {}

  static ConfigHash hash(String content) {
    return ConfigHash.of(content.getBytes(StandardCharsets.UTF_8));
  }

  /** An object in use whose status says that it is invalid, as an operator leaves it. */
  static IndexedObject invalid(String name, ConfigHash hash) {
    return new IndexedObject(
        "",
        name,
        new Role.Current(name),
        hash,
        ConfigStatus.INVALID,
        true,
        1_795_000_000L,
        1_795_000_000L,
        false,
        new FailureDetails(
            "network-operator", "2026-11-18T12:26:40Z", "", "could not apply: exit status 2"));
  }
}
