package dev.shipshape.webhook.mutation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * RFC 6902 patches that settle annotations, touch nothing else, and cannot fail to apply: a patch
 * that fails makes the API server refuse the write, even of a webhook that is to be ignored on
 * failure.
 */
final class AnnotationPatch {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AnnotationPatch() {}

  /**
   * The operations as JSON; empty where all is as it should be, or the object has no place for
   * annotations.
   *
   * @param wanted these annotations are to be there
   * @param ours of these, whatever is not wanted is to go
   */
  static Optional<String> of(JsonNode object, SortedMap<String, String> wanted, Set<String> ours) {
    if (!(object.get("metadata") instanceof ObjectNode metadata)) {
      return Optional.empty();
    }
    var operations = operations(metadata.get("annotations"), wanted, ours);
    return operations.isEmpty() ? Optional.empty() : Optional.of(operations.toString());
  }

  private static ArrayNode operations(
      @Nullable JsonNode present, Map<String, String> wanted, Set<String> ours) {
    var operations = NODES.arrayNode();
    if (present == null || present.isNull()) {
      var all = NODES.objectNode();
      wanted.forEach(all::put);
      operations.add(add("/metadata/annotations", all));
    } else if (present.isObject()) {
      wanted.forEach(
          (key, value) -> {
            if (!value.equals(present.path(key).textValue())) {
              operations.add(add("/metadata/annotations/" + escape(key), NODES.textNode(value)));
            }
          });
      for (var key : new TreeSet<>(ours)) {
        if (present.has(key) && !wanted.containsKey(key)) {
          operations.add(
              NODES
                  .objectNode()
                  .put("op", "remove")
                  .put("path", "/metadata/annotations/" + escape(key)));
        }
      }
    }
    return operations;
  }

  /** RFC 6902's add replaces a member that is there. */
  private static ObjectNode add(String path, JsonNode value) {
    return NODES.objectNode().put("op", "add").put("path", path).set("value", value);
  }

  private static String escape(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }
}
