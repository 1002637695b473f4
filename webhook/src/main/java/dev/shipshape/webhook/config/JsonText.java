package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Values within settings: JSON where the text is JSON ({@code 9000}, {@code true}), else a text.
 */
final class JsonText {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private JsonText() {}

  static JsonNode read(String text) {
    try {
      var value = MAPPER.readTree(text);
      return value.isMissingNode() ? TextNode.valueOf(text) : value;
    } catch (JsonProcessingException e) {
      return TextNode.valueOf(text);
    }
  }
}
