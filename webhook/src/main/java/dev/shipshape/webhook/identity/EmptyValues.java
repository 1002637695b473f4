package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;

/** A value that means, wherever a field has it, the same as the field's absence. */
public enum EmptyValues {
  NULL,
  EMPTY_LIST,
  EMPTY_OBJECT;

  boolean holds(JsonNode value) {
    return switch (this) {
      case NULL -> value.isNull();
      case EMPTY_LIST -> value.isArray() && value.isEmpty();
      case EMPTY_OBJECT -> value.isObject() && value.isEmpty();
    };
  }
}
