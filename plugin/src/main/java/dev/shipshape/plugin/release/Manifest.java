package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.audit.ObjectFields;
import dev.shipshape.plugin.review.Fields;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The objects of a release, as Helm renders them, without hooks.
 *
 * @param objects by name for people: {@code Deployment shipshape/shipshape}
 */
record Manifest(Map<String, JsonNode> objects) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Parses the output of {@code helm template} or {@code helm get manifest}. */
  static Manifest parse(String yaml) {
    var objects = new LinkedHashMap<String, JsonNode>();
    for (JsonNode object : YamlDocuments.read(yaml)) {
      if (!object.at("/metadata/annotations").has("helm.sh/hook")) {
        objects.put(Fields.name(object), object);
      }
    }
    return new Manifest(objects);
  }

  /** Whether Helm keeps an object when it uninstalls. */
  static boolean isKept(JsonNode object) {
    var policy = object.at("/metadata/annotations").path("helm.sh/resource-policy");
    return policy.asText().equals("keep");
  }

  List<String> removable() {
    return objects.entrySet().stream()
        .filter(object -> !isKept(object.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Compares with the next manifest, a line for each object: {@code +} created, {@code ~} changed,
   * with its fields, {@code -} removed, {@code =} no longer rendered, but kept.
   */
  List<String> changesTo(Manifest next) {
    var changes = new ArrayList<String>();
    next.objects()
        .forEach(
            (name, object) -> {
              var before = objects.get(name);
              if (before == null) {
                changes.add("+ " + name);
              } else if (!before.equals(object)) {
                var fields =
                    ObjectFields.changes(before, object).stream().map(ObjectFields.Change::path);
                changes.add("~ %s: %s".formatted(name, fields.collect(Collectors.joining(", "))));
              }
            });
    objects.forEach(
        (name, object) -> {
          if (!next.objects().containsKey(name)) {
            changes.add((isKept(object) ? "= " : "- ") + name);
          }
        });
    return changes;
  }

  /** Returns the guards that are to be armed. */
  Set<String> armed() {
    return settings().validating().stream()
        .flatMap(desired -> desired.guards().entrySet().stream())
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  ReleaseSettings settings() {
    return new ReleaseSettings(
        objects.values().stream()
            .filter(each -> each.path("kind").asText().equals("ConfigMap"))
            .map(each -> MAPPER.convertValue(each, ConfigMap.class))
            .toList());
  }
}
