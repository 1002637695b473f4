package dev.shipshape.webhook.guard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A field that has one value.
 *
 * @param field the names that lead to it from the object's top
 */
public record FieldEquals(List<String> field, JsonNode value) {
  public FieldEquals {
    field = List.copyOf(field);
  }

  boolean holds(JsonNode object) {
    var at = object;
    for (var name : field) {
      at = at.path(name);
    }
    return at.equals(value);
  }
}
