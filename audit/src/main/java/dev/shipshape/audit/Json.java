package dev.shipshape.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads JSON as trees, for the few values that need it. */
final class Json {
  /** The API server bounds bodies, and the finder bounds lines. */
  static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  static final String HIDDEN = "(hidden)";

  /** Keys of Secrets, lists, patches and Status whose values are never secret. */
  private static final Set<String> HARMLESS =
      Set.of(
          ("apiVersion kind type immutable name generateName namespace uid"
                  + " resourceVersion generation creationTimestamp deletionTimestamp"
                  + " deletionGracePeriodSeconds labels finalizers ownerReferences"
                  + " managedFields op path code reason propagationPolicy"
                  + " gracePeriodSeconds dryRun")
              .split(" ", -1));

  /** Keys whose members have keys of Kubernetes, too; in {@code data}, they are a user's. */
  private static final Set<String> KUBERNETES_KEYS = Set.of("metadata", "items", "details");

  private Json() {}

  /** Reads a body; a missing node if there is none or it is no JSON. */
  static JsonNode tree(@Nullable String body) {
    if (body == null) {
      return MAPPER.missingNode();
    }
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      return MAPPER.missingNode();
    }
  }

  /** Returns a string's text without quotation marks; unchanged if its escapes are wrong. */
  static String unescaped(byte[] bytes, int from, int length) {
    try {
      return MAPPER.readValue(bytes, from, length, String.class);
    } catch (IOException e) {
      return new String(bytes, from + 1, length - 2, StandardCharsets.UTF_8);
    }
  }

  /**
   * Hides the values in Secrets and tokens, also those within lists and patches.
   *
   * @param secret whether the request is about Secrets or tokens
   */
  static String withoutSecrets(String body, boolean secret) {
    if (!secret && !body.contains("\"Secret")) {
      return body;
    }
    var tree = tree(body);
    if (secret || !tree.isContainerNode()) {
      return hidden(tree).toString();
    }
    hideWithin(tree);
    return tree.toString();
  }

  private static void hideWithin(JsonNode node) {
    var kind = node.path("kind").asText();
    if (kind.equals("Secret") || kind.equals("SecretList")) {
      hidden(node);
    } else {
      node.forEach(Json::hideWithin);
    }
  }

  /** Hides all values except those whose keys are known to be harmless; a value alone, too. */
  static JsonNode hidden(JsonNode node) {
    return hidden(node, HARMLESS);
  }

  private static JsonNode hidden(JsonNode node, Set<String> harmless) {
    if (node instanceof ObjectNode object) {
      object.properties().stream()
          .filter(member -> !harmless.contains(member.getKey()))
          .forEach(
              member ->
                  member.setValue(
                      hidden(
                          member.getValue(),
                          KUBERNETES_KEYS.contains(member.getKey()) ? harmless : Set.of())));
      return object;
    }
    if (node instanceof ArrayNode list) {
      for (var i = 0; i < list.size(); i++) {
        list.set(i, hidden(list.get(i), harmless));
      }
      return list;
    }
    return MAPPER.getNodeFactory().textNode(HIDDEN);
  }
}
