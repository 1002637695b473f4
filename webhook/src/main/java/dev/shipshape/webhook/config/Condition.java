package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on an object's fields, by their paths from its top. In text: {@code status.isInvalid
 * is true}.
 *
 * @param field the deciding field
 * @param sameAs a field with the same non-empty text or number above 0; missing fields never match
 * @param value what the field must be if there is no {@code sameAs}
 * @param and must hold too, but does not decide
 */
public record Condition(
    JsonPointer field, @Nullable JsonPointer sameAs, JsonNode value, @Nullable Condition and) {
  public boolean holds(JsonNode object) {
    return decidingFieldHolds(object) && (and == null || and.holds(object));
  }

  /** Checks only the first field, which decides; ignores conditions after {@code and}. */
  boolean decidingFieldHolds(JsonNode object) {
    var one = object.at(field);
    if (sameAs == null) {
      // Operators also write true and numbers as texts.
      return one.equals(value)
          || (one.isTextual()
              && (value.isBoolean() || value.isNumber())
              && one.textValue().equals(value.asText()));
    }
    var hasValue =
        one.isTextual() ? !one.textValue().isEmpty() : one.isNumber() && one.asLong() > 0;
    return hasValue && one.equals(object.at(sameAs));
  }

  /** The fields that are compared, the deciding one first. */
  public List<JsonPointer> fields() {
    var fields = new ArrayList<>(List.of(field));
    if (sameAs != null) {
      fields.add(sameAs);
    }
    if (and != null) {
      fields.addAll(and.fields());
    }
    return fields;
  }

  @Override
  public String toString() {
    var is = sameAs == null ? value.asText() : name(sameAs);
    return name(field) + " is " + is + (and == null ? "" : " and " + and);
  }

  private static String name(JsonPointer field) {
    return field.toString().substring(1).replace('/', '.');
  }
}
