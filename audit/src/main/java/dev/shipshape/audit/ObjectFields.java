package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An object's fields by their paths, such as {@code spec.containers[name=web].image}. A list item
 * is named by a field that differs in all items, or else by its index.
 */
public final class ObjectFields {
  /** Fields that the API server sets and changes with each write. */
  private static final Set<String> HIDDEN =
      Set.of("metadata.managedFields", "metadata.resourceVersion", "metadata.generation");

  private static final List<String> ITEM_KEYS =
      List.of("name", "type", "uid", "key", "containerPort");

  private ObjectFields() {}

  /** A field that differs between two objects; {@code null} if it is absent. */
  public record Change(String path, @Nullable String before, @Nullable String after) {
    @Override
    public String toString() {
      if (before == null) {
        return "+ %s: %s".formatted(path, after);
      }
      return after == null
          ? "- %s: %s".formatted(path, before)
          : "~ %s: %s -> %s".formatted(path, before, after);
    }
  }

  static Map<String, String> of(JsonNode body) {
    var fields = new TreeMap<String, String>();
    add("", body, fields);
    return fields;
  }

  static List<Change> changes(Map<String, String> before, Map<String, String> after) {
    var paths = new TreeMap<>(before);
    paths.putAll(after);
    return paths.keySet().stream()
        .filter(path -> !Objects.equals(before.get(path), after.get(path)))
        .map(path -> new Change(path, before.get(path), after.get(path)))
        .toList();
  }

  /** Compares two bodies without reading the parts that are equal. */
  public static List<Change> changes(JsonNode before, JsonNode after) {
    var changes = new ArrayList<Change>();
    compare("", before, after, changes);
    return changes;
  }

  private static void compare(String path, JsonNode before, JsonNode after, List<Change> changes) {
    if (HIDDEN.contains(path) || before.equals(after)) {
      return;
    }
    if (before.isObject() && after.isObject()) {
      var keys = new TreeSet<String>();
      before.fieldNames().forEachRemaining(keys::add);
      after.fieldNames().forEachRemaining(keys::add);
      keys.forEach(key -> compare(child(path, key), before.path(key), after.path(key), changes));
    } else if (before.isArray() && after.isArray() && hasKeys(before, after)) {
      var key = itemKey(after);
      var old = items(before, key);
      var now = items(after, key);
      var items = new TreeMap<>(old);
      items.putAll(now);
      items
          .keySet()
          .forEach(
              item ->
                  compare(
                      "%s[%s]".formatted(path, item),
                      old.getOrDefault(item, MissingNode.getInstance()),
                      now.getOrDefault(item, MissingNode.getInstance()),
                      changes));
    } else {
      changes.add(new Change(path, text(before), text(after)));
    }
  }

  /** A list without keys is one value: a new item would shift all the following ones. */
  private static boolean hasKeys(JsonNode before, JsonNode after) {
    return !itemKey(after).isEmpty() && itemKey(before).equals(itemKey(after));
  }

  private static @Nullable String text(JsonNode node) {
    return node.isMissingNode() ? null : node.toString();
  }

  private static Map<String, JsonNode> items(JsonNode list, String key) {
    var items = new TreeMap<String, JsonNode>();
    for (var i = 0; i < list.size(); i++) {
      items.put(
          key.isEmpty() ? Integer.toString(i) : key + "=" + list.get(i).get(key).asText(),
          list.get(i));
    }
    return items;
  }

  private static void add(String path, JsonNode node, Map<String, String> fields) {
    if (HIDDEN.contains(path)) {
      return;
    }
    if (node.isObject() && !node.isEmpty()) {
      node.properties()
          .forEach(field -> add(child(path, field.getKey()), field.getValue(), fields));
    } else if (node.isArray() && !node.isEmpty()) {
      items(node, itemKey(node))
          .forEach((item, value) -> add("%s[%s]".formatted(path, item), value, fields));
    } else if (!node.isMissingNode()) {
      fields.put(path, node.toString());
    }
  }

  private static String child(String path, String key) {
    var name = key.indexOf('.') < 0 && key.indexOf('/') < 0 ? key : "'" + key + "'";
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Returns a field that all items have, each with another value; empty if there is none. */
  private static String itemKey(JsonNode list) {
    if (list.isEmpty()) {
      return "";
    }
    for (var key : ITEM_KEYS) {
      var seen = new HashSet<String>();
      var tells = true;
      for (var item : list) {
        tells = tells && item.path(key).isValueNode() && seen.add(item.path(key).asText());
      }
      if (tells) {
        return key;
      }
    }
    return "";
  }
}
