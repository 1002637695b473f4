package dev.shipshape.plugin.review;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * An object of a file.
 *
 * @param file as it was named; - for standard input
 * @param node where each of its fields is in the file
 */
public record ManifestObject(String file, ObjectNode json, MappingNode node) {
  /** A node, and the line where it begins, or its name does. */
  private record Place(int line, Node node) {}

  /** The line where it begins, from 1. */
  public int line() {
    return line(node);
  }

  /** The line of a field, or of what it would be in. */
  public int line(JsonPointer field) {
    return deepest(field).line();
  }

  static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }

  /** Kind, namespace and name, for people. */
  public String name() {
    var namespace = text("/metadata/namespace");
    var name = text("/metadata/name");
    return Fields.printable(
        "%s %s%s"
            .formatted(
                text("/kind"),
                namespace.isEmpty() ? "" : namespace + "/",
                name.isEmpty() ? "?" : name));
  }

  /** The text at a place; empty if there is none. */
  public String text(String pointer) {
    return json.at(pointer).asText("");
  }

  /** The object at a place within, such as an item of a list; empty if there is none. */
  Optional<ManifestObject> within(String pointer) {
    var at = JsonPointer.compile(pointer);
    return json.at(at) instanceof ObjectNode object
            && deepest(at).node() instanceof MappingNode mapping
        ? Optional.of(new ManifestObject(file, object, mapping))
        : Optional.empty();
  }

  private Place deepest(JsonPointer field) {
    var place = new Place(line(node), node);
    for (var left = field; !left.matches(); left = left.tail()) {
      var next = step(place.node(), left);
      if (next.isEmpty()) {
        return place;
      }
      place = next.get();
    }
    return place;
  }

  private static Optional<Place> step(Node from, JsonPointer to) {
    return switch (from) {
      case MappingNode mapping ->
          mapping.getValue().stream()
              .filter(
                  each ->
                      each.getKeyNode() instanceof ScalarNode key
                          && key.getValue().equals(to.getMatchingProperty()))
              .findFirst()
              .map(each -> new Place(line(each.getKeyNode()), each.getValueNode()));
      case SequenceNode list ->
          list.getValue().stream()
              .skip(Math.max(0, to.getMatchingIndex()))
              .findFirst()
              .map(element -> new Place(line(element), element));
      default -> Optional.empty();
    };
  }
}
