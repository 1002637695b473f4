package dev.shipshape.webhook.mutation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds RFC 6902 patches that set annotations, change nothing else, and always apply. If a patch
 * fails, the API server refuses the write even with failurePolicy Ignore.
 */
final class AnnotationPatch {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AnnotationPatch() {}

  /**
   * Returns the operations, JSON; empty if nothing has to change, or if the object has no metadata
   * or no valid annotations.
   *
   * @param wanted annotations to set
   * @param ours annotations to remove unless they are in {@code wanted}
   */
  static String of(JsonNode object, SortedMap<String, String> wanted, Set<String> ours) {
    if (!(object.get("metadata") instanceof ObjectNode metadata)) {
      return "";
    }
    var operations = operations(metadata.get("annotations"), wanted, ours);
    return operations.isEmpty() ? "" : operations.toString();
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

  /** An add operation of RFC 6902 replaces an existing member. */
  private static ObjectNode add(String path, JsonNode value) {
    return NODES.objectNode().put("op", "add").put("path", path).set("value", value);
  }

  private static String escape(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }
}
