package dev.shipshape.plugin.review;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.audit.Text;

/** Formats places and names for people. */
public final class Fields {
  private Fields() {}

  /** Formats a place as kubectl explain does, with indexes: {@code spec.vrf[0].vni}. */
  public static String path(JsonPointer place) {
    var text = new StringBuilder();
    for (var at = place; !at.matches(); at = at.tail()) {
      if (at.mayMatchElement() && !text.isEmpty()) {
        text.append('[').append(at.getMatchingIndex()).append(']');
      } else {
        text.append(text.isEmpty() ? "" : ".").append(at.getMatchingProperty());
      }
    }
    return Text.printableLine(text.toString());
  }

  /** Names an object by kind, namespace and name: {@code Deployment shipshape/shipshape}. */
  public static String name(JsonNode object) {
    var namespace = object.at("/metadata/namespace").asText("");
    var name = object.at("/metadata/name").asText("");
    return "%s %s%s"
        .formatted(
            object.path("kind").asText(""),
            namespace.isEmpty() ? "" : namespace + "/",
            name.isEmpty() ? "?" : name);
  }

  static String file(String name) {
    return name.equals("-") ? "stdin" : Text.printableLine(name);
  }
}
