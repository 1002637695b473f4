package dev.shipshape.webhook.mutation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.identity.CanonicalJson;
import dev.shipshape.webhook.identity.ConfigHash;
import java.util.Set;

/** The same as {@link NonStatusHash}, from a tree. */
public final class NonStatusTree {
  private static final Set<String> LEFT_OUT = Set.of("apiVersion", "kind", "metadata", "status");

  private static final Set<String> LEFT_OUT_ANNOTATIONS =
      Set.of(
          HashAnnotator.CONFIG_HASH,
          HashAnnotator.NON_STATUS_HASH,
          HashAnnotator.STATUS_HASH,
          "kubectl.kubernetes.io/last-applied-configuration");

  private NonStatusTree() {}

  public static ConfigHash of(JsonNode object) {
    var hashed = JsonNodeFactory.instance.objectNode();
    for (var field : object.properties()) {
      if (!LEFT_OUT.contains(field.getKey())) {
        hashed.set(field.getKey(), field.getValue());
      }
    }
    hashed.set("metadata", metadata(object.path("metadata")));
    return ConfigHash.of(CanonicalJson.write(hashed));
  }

  private static ObjectNode metadata(JsonNode metadata) {
    var kept = JsonNodeFactory.instance.objectNode();
    setUnlessEmpty(kept, "labels", metadata.path("labels"));
    if (metadata.path("annotations") instanceof ObjectNode annotations) {
      setUnlessEmpty(kept, "annotations", annotations.deepCopy().remove(LEFT_OUT_ANNOTATIONS));
    }
    return kept;
  }

  private static void setUnlessEmpty(ObjectNode target, String name, JsonNode value) {
    if (!value.isEmpty()) {
      target.set(name, value);
    }
  }
}
