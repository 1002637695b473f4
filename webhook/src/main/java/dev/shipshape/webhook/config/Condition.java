package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
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
  List<JsonPointer> fields();

  /**
   * A field that has one value.
   *
   * @param field from the object's top
   */
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

  /** Two fields with the same text, or the same number above 0; absent ones never agree. */
  record FieldsAgree(JsonPointer field, JsonPointer other) implements Condition {
    @Override
    public boolean holds(JsonNode object) {
      var one = object.at(field);
      var says = one.isTextual() ? !one.textValue().isEmpty() : one.isNumber() && one.asLong() > 0;
      return says && one.equals(object.at(other));
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
    public List<JsonPointer> fields() {
      return Stream.concat(first.fields().stream(), second.fields().stream()).toList();
    }

    @Override
    public String toString() {
      return first + " and " + second;
    }
  }

  /** A field as settings name it. */
  private static String name(JsonPointer field) {
    return field.toString().substring(1).replace('/', '.');
  }
}
