package dev.shipshape.webhook.mutation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.identity.CanonicalJson;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.identity.Identity;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hash of the parts that a user or a controller sets: labels, annotations, and all top-level
 * fields except apiVersion, kind and status. Not normalised.
 */
final class NonStatusHash {
  private static final Set<String> EXCLUDED = Set.of("apiVersion", "kind", "metadata", "status");

  /** A copy of the object that kubectl adds. */
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private NonStatusHash() {}

  /** Leaves out the secret fields of the identity; null if there are none. */
  static ConfigHash of(JsonNode object, @Nullable Identity secrets) {
    var kept = JsonNodeFactory.instance.objectNode();
    kept.<ObjectNode>setAll((ObjectNode) object).remove(EXCLUDED);
    if (secrets != null && kept.has(secrets.content())) {
      kept.set(secrets.content(), secrets.withoutSecrets(object));
    }
    kept.set("metadata", metadata(object.path("metadata")));
    return ConfigHash.of(CanonicalJson.write(kept));
  }

  private static ObjectNode metadata(JsonNode metadata) {
    var kept = JsonNodeFactory.instance.objectNode();
    setUnlessEmpty(kept, "labels", metadata.path("labels"));
    if (metadata.path("annotations") instanceof ObjectNode annotations) {
      var others = annotations.deepCopy();
      others.remove(HashAnnotator.HASHES);
      others.remove(LAST_APPLIED);
      setUnlessEmpty(kept, "annotations", others);
    }
    return kept;
  }

  private static void setUnlessEmpty(ObjectNode target, String name, JsonNode value) {
    if (!value.isEmpty()) {
      target.set(name, value);
    }
  }
}
