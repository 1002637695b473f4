package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;

/** A value that means, wherever a field has it, the same as the field's absence. */
public enum Absence {
  NULL {
    @Override
    boolean holds(JsonNode value) {
      return value.isNull();
    }
  },
  EMPTY_LIST {
    @Override
    boolean holds(JsonNode value) {
      return value.isArray() && value.isEmpty();
    }
  },
  EMPTY_OBJECT {
    @Override
    boolean holds(JsonNode value) {
      return value.isObject() && value.isEmpty();
    }
  };

  abstract boolean holds(JsonNode value);
}
