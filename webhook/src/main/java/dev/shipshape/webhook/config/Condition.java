package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.stream.Stream;

/** What an object must say. In text it reads as a reason: {@code status.isInvalid is true}. */
public sealed interface Condition {
  /** Whether the object says so. */
  boolean holds(JsonNode object);

  /** Whether its first field says so, whatever the others do. */
  default boolean begins(JsonNode object) {
    return holds(object);
  }

  /** The fields that say so, the one that decides first. */
  List<List<String>> fields();

  /**
   * A field that has one value.
   *
   * @param field the names that lead to it from the object's top
   */
  record FieldEquals(List<String> field, JsonNode value) implements Condition {
    public FieldEquals {
      field = List.copyOf(field);
    }

    @Override
    public boolean holds(JsonNode object) {
      return at(object, field).equals(value);
    }

    @Override
    public List<List<String>> fields() {
      return List.of(field);
    }

    @Override
    public String toString() {
      return String.join(".", field) + " is " + value.asText();
    }
  }

  /** Two fields with the same text, or the same number above 0; absent ones never agree. */
  record FieldsAgree(List<String> field, List<String> other) implements Condition {
    public FieldsAgree {
      field = List.copyOf(field);
      other = List.copyOf(other);
    }

    @Override
    public boolean holds(JsonNode object) {
      var one = at(object, field);
      var says = one.isTextual() ? !one.textValue().isEmpty() : one.isNumber() && one.asLong() > 0;
      return says && one.equals(at(object, other));
    }

    @Override
    public List<List<String>> fields() {
      return List.of(field, other);
    }

    @Override
    public String toString() {
      return String.join(".", field) + " is " + String.join(".", other);
    }
  }

  /** Two conditions that must both hold. */
  record Both(Condition first, Condition second) implements Condition {
    @Override
    public boolean holds(JsonNode object) {
      return first.holds(object) && second.holds(object);
    }

    @Override
    public boolean begins(JsonNode object) {
      return first.begins(object);
    }

    @Override
    public List<List<String>> fields() {
      return Stream.concat(first.fields().stream(), second.fields().stream()).toList();
    }

    @Override
    public String toString() {
      return first + " and " + second;
    }
  }

  /** The field that these names lead to; a missing node where there are no names or no field. */
  static JsonNode at(JsonNode object, List<String> field) {
    var at = field.isEmpty() ? MissingNode.getInstance() : object;
    for (var name : field) {
      at = at.path(name);
    }
    return at;
  }
}
