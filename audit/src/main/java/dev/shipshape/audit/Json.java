package dev.shipshape.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** JSON as trees, for the few values that are looked at more closely. */
final class Json {
  /** Bodies may be as large as the API server lets them be; lines are bounded before. */
  static final JsonMapper MAPPER =
      JsonMapper.builder(
              com.fasterxml.jackson.core.JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .build())
          .build();

  private static final String HIDDEN = "(hidden)";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private Json() {}

  /** A body as a tree; a missing node if it is no JSON. */
  static JsonNode tree(String body) {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      return MAPPER.missingNode();
    }
  }

  /** The text of a string with its quotation marks; as it stands, if its escapes are wrong. */
  static String unescaped(byte[] bytes, int from, int length) {
    try {
      return MAPPER.readValue(bytes, from, length, String.class);
    } catch (IOException e) {
      return new String(bytes, from + 1, length - 2, StandardCharsets.UTF_8);
    }
  }

  /**
   * A body without what Secrets hold, also those within lists and patches.
   *
   * @param secret whether the request is about Secrets
   */
  static String withoutSecrets(String body, boolean secret) {
    if (!secret && !body.contains("\"Secret")) {
      return body;
    }
    var tree = tree(body);
    hide(tree, secret);
    return tree.toString();
  }

  private static void hide(JsonNode node, boolean secret) {
    var kind = node.path("kind").asText();
    var hidden = secret || kind.equals("Secret") || kind.equals("SecretList");
    if (node instanceof ObjectNode object && hidden) {
      hideValues(object.path("data"));
      hideValues(object.path("stringData"));
      if (object.path("metadata").path("annotations") instanceof ObjectNode annotations
          && annotations.has(LAST_APPLIED)) {
        annotations.put(LAST_APPLIED, HIDDEN);
      }
      // Of a JSON patch's operation.
      if (object.has("op") && object.has("value")) {
        object.put("value", HIDDEN);
      }
    }
    // A Secret has no objects within; lists and patches do.
    var below = hidden && (node instanceof ArrayNode || !kind.equals("Secret"));
    node.forEach(child -> hide(child, below && (child.isArray() || child.isObject())));
  }

  private static void hideValues(JsonNode values) {
    if (values instanceof ObjectNode object) {
      object.fieldNames().forEachRemaining(name -> object.put(name, HIDDEN));
    }
  }
}
