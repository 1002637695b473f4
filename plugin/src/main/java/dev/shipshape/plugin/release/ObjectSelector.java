package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A label selector, read for what it asks of an object.
 *
 * @param allowed by key, the values one of which the label must have
 * @param required keys that must be there, whatever their value
 * @param forbidden by key, the values that the label must not have
 * @param absent keys that must not be there
 */
record ObjectSelector(
    Map<String, Set<String>> allowed,
    Set<String> required,
    Map<String, Set<String>> forbidden,
    Set<String> absent) {

  /** Reads a selector of Kubernetes; a missing one, like an empty one, asks for nothing. */
  static ObjectSelector of(JsonNode selector) {
    var read =
        new ObjectSelector(new HashMap<>(), new HashSet<>(), new HashMap<>(), new HashSet<>());
    selector
        .path("matchLabels")
        .properties()
        .forEach(label -> read.allow(label.getKey(), Set.of(label.getValue().asText())));
    selector.path("matchExpressions").forEach(read::add);
    return read;
  }

  private void add(JsonNode expression) {
    var key = expression.path("key").asText();
    var values =
        Set.copyOf(
            StreamSupport.stream(expression.path("values").spliterator(), false)
                .map(JsonNode::asText)
                .toList());
    switch (expression.path("operator").asText()) {
      case "In" -> allow(key, values);
      case "Exists" -> required.add(key);
      case "NotIn" -> forbidden.computeIfAbsent(key, _ -> new HashSet<>()).addAll(values);
      case "DoesNotExist" -> absent.add(key);
      default -> {} // The API server accepts no others.
    }
  }

  private void allow(String key, Set<String> values) {
    allowed.merge(
        key, values, (before, more) -> Set.copyOf(before.stream().filter(more::contains).toList()));
  }

  /** Labels that an object needs to be selected; empty where no object can be. */
  Optional<Map<String, String>> labels() {
    var labels = new TreeMap<String, String>();
    var keys = Stream.concat(allowed.keySet().stream(), required.stream()).distinct().toList();
    for (var key : keys) {
      var value = absent.contains(key) ? null : value(key);
      if (value == null) {
        return Optional.empty();
      }
      labels.put(key, value);
    }
    return Optional.of(labels);
  }

  private @Nullable String value(String key) {
    var never = forbidden.getOrDefault(key, Set.of());
    // One of these is none of the forbidden ones, as they are more.
    var any = Stream.iterate(0, number -> number <= never.size(), number -> number + 1);
    var candidates = allowed.containsKey(key) ? sorted(key) : any.map("probe-%d"::formatted);
    return candidates.filter(each -> !never.contains(each)).findFirst().orElse(null);
  }

  private Stream<String> sorted(String key) {
    return List.copyOf(allowed.getOrDefault(key, Set.of())).stream().sorted();
  }
}
