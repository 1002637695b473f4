package dev.shipshape.webhook.mutation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.zjsonpatch.DiffFlags;
import io.fabric8.zjsonpatch.JsonDiff;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;

/**
 * Builds RFC 6902 patches that set annotations, change nothing else, and always apply. If a patch
 * fails, the API server refuses the write even with failurePolicy Ignore.
 */
final class AnnotationPatch {
  private static final EnumSet<DiffFlags> FLAGS =
      EnumSet.of(
          DiffFlags.OMIT_MOVE_OPERATION,
          DiffFlags.OMIT_COPY_OPERATION,
          DiffFlags.OMIT_VALUE_ON_REMOVE);

  private AnnotationPatch() {}

  /**
   * Returns the operations, JSON; empty if nothing has to change, or if the object has no metadata
   * or no valid annotations.
   *
   * @param wanted annotations to set
   * @param ours annotations to remove unless they are in {@code wanted}
   */
  static String of(JsonNode object, SortedMap<String, String> wanted, Set<String> ours) {
    var present = object.at("/metadata/annotations");
    var isAbsent = present.isMissingNode() || present.isNull();
    if (!object.path("metadata").isObject() || !(isAbsent || present.isObject())) {
      return "";
    }
    var before = JsonNodeFactory.instance.objectNode();
    var metadata = before.putObject("metadata");
    if (!isAbsent) {
      metadata.set("annotations", present);
    }
    var after = before.deepCopy();
    var annotations = after.withObject("/metadata/annotations").remove(ours);
    wanted.forEach(annotations::put);
    var operations = JsonDiff.asJson(before, after, FLAGS);
    return operations.isEmpty() ? "" : operations.toString();
  }
}
