package dev.shipshape.webhook.index;

import dev.shipshape.webhook.guard.Role;
import dev.shipshape.webhook.guard.Standing;
import dev.shipshape.webhook.guard.Story;
import dev.shipshape.webhook.identity.ConfigHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Objects to fill an index with. */
final class IndexedObjects {
  private static final List<Standing> STANDINGS = List.of(Standing.values());

  private final Random random;

  IndexedObjects(long seed) {
    random = new Random(seed);
  }

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
        Standing.INVALID,
        true,
        1_795_000_000L,
        1_795_000_000L,
        false,
        new Story(
            "network-operator", "2026-11-18T12:26:40Z", "", "could not apply: exit status 2"));
  }

  /** One of few names with one of few hashes, and anything else. */
  IndexedObject any(int names, int hashes) {
    var name = text("worker-" + random.nextInt(names));
    var role = role(name);
    var plain =
        new IndexedObject(
            random.nextBoolean() ? "" : "space-" + random.nextInt(2),
            name,
            role,
            hash("content " + random.nextInt(hashes)),
            STANDINGS.get(random.nextInt(STANDINGS.size())),
            random.nextInt(4) > 0,
            random.nextInt(5) == 0 ? 0 : random.nextLong() >> random.nextInt(64),
            random.nextLong() >> random.nextInt(64),
            random.nextBoolean(),
            Story.NONE);
    return plain.isTold() && random.nextInt(10) > 0 ? told(plain) : plain;
  }

  private Role role(String name) {
    return switch (random.nextInt(8)) {
      case 0 -> new Role.InvalidRecord(name.substring(0, random.nextInt(name.length())));
      case 1 -> new Role.Backup(text("node-" + random.nextInt(3)));
      default -> new Role.Current(name);
    };
  }

  private IndexedObject told(IndexedObject plain) {
    return new IndexedObject(
        plain.namespace(),
        plain.name(),
        plain.role(),
        plain.hash(),
        plain.standing(),
        plain.aboutThis(),
        plain.at(),
        plain.earliest(),
        plain.holdsSecrets(),
        new Story(
            text("manager-" + random.nextInt(400)),
            time(),
            random.nextBoolean() ? "" : "node-" + random.nextInt(1_000),
            text("why ".repeat(random.nextInt(75)) + random.nextInt(1_000))));
  }

  private String time() {
    return switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 -> "2026-11-21T10:00:00.5Z";
      case 2 -> "yesterday";
      default -> "2026-11-21T10:00:%02dZ".formatted(random.nextInt(60));
    };
  }

  private String text(String text) {
    return random.nextInt(20) == 0 ? text + "-ü€😀" : text;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }
}
