package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.Role;
import dev.shipshape.webhook.guard.Story;

/** Reduces an object to what the index keeps of it. */
public final class Projection {
  private Projection() {}

  /** What the guard makes of the object. */
  public static IndexedObject of(Guard guard, JsonNode object) {
    var metadata = object.path("metadata");
    var role = guard.roleOf(object);
    var invalid =
        switch (role) {
          case Role.InvalidRecord ignored -> true;
          case Role.Backup ignored -> false;
          case Role.Current ignored -> guard.saysInvalid(object);
        };
    return new IndexedObject(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        role,
        guard.identity().hash(object),
        invalid,
        invalid && guard.identity().holdsSecrets(object),
        invalid ? guard.told().of(object) : Story.NONE);
  }
}
