package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;

/** An empty value that means the same as a missing field, in all fields. */
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
