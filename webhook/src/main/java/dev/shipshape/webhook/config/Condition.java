package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;

/** A condition on an object's fields. In text: {@code status.isInvalid is true}. */
public sealed interface Condition {
  boolean holds(JsonNode object);

  /** Checks only the first field, which decides; ignores conditions after {@code and}. */
  default boolean decidingFieldHolds(JsonNode object) {
    return holds(object);
  }

  /** The fields that are compared, the deciding one first. */
  List<JsonPointer> fields();

  /** A field with a given value, by its path from the top of the object. */
  record FieldEquals(JsonPointer field, JsonNode value) implements Condition {
    @Override
    public boolean holds(JsonNode object) {
      return object.at(field).equals(value);
    }

    @Override
    public List<JsonPointer> fields() {
      return List.of(field);
    }

    @Override
    public String toString() {
      return name(field) + " is " + value.asText();
    }
  }

  /** Two fields with the same non-empty text or number above 0. Missing fields never match. */
  record FieldsAgree(JsonPointer field, JsonPointer other) implements Condition {
    @Override
    public boolean holds(JsonNode object) {
      var one = object.at(field);
      var hasValue =
          one.isTextual() ? !one.textValue().isEmpty() : one.isNumber() && one.asLong() > 0;
      return hasValue && one.equals(object.at(other));
    }

    @Override
    public List<JsonPointer> fields() {
      return List.of(field, other);
    }

    @Override
    public String toString() {
      return name(field) + " is " + name(other);
    }
  }

  record Both(Condition first, Condition second) implements Condition {
    @Override
    public boolean holds(JsonNode object) {
      return first.holds(object) && second.holds(object);
    }

    @Override
    public boolean decidingFieldHolds(JsonNode object) {
      return first.decidingFieldHolds(object);
    }

    @Override
    public List<JsonPointer> fields() {
      return Stream.concat(first.fields().stream(), second.fields().stream()).toList();
    }

    @Override
    public String toString() {
      return first + " and " + second;
    }
  }

  private static String name(JsonPointer field) {
    return field.toString().substring(1).replace('/', '.');
  }
}
