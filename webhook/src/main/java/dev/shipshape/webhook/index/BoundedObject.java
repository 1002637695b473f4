package dev.shipshape.webhook.index;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.identity.JsonLimits;
import dev.shipshape.webhook.known.IndexedObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One object of a list or a watch. If it exceeds the limits, only its names are kept.
 *
 * @param json empty if there is a problem
 * @param problem why it cannot be read; null if it can
 */
@SuppressWarnings("ArrayRecordComponent")
public record BoundedObject(
    String namespace,
    String name,
    String uid,
    String resourceVersion,
    byte[] json,
    @Nullable String problem) {
  private static final Set<String> NAMES = Set.of("namespace", "name", "uid", "resourceVersion");

  /** Parses the object; IOException if it exceeds the limits. */
  public JsonNode tree() throws IOException {
    if (problem != null) {
      throw new IOException(problem);
    }
    return JsonLimits.tree(json);
  }

  public String key() {
    return IndexedObject.key(namespace, name);
  }

  /** Applies the limits of a list to an object; IOException if it exceeds them. */
  public static JsonNode tree(JsonNode object) throws IOException {
    try (var parser =
        JsonLimits.FACTORY.createParser(JsonLimits.MAPPER.writeValueAsBytes(object))) {
      parser.nextToken();
      return read(parser).tree();
    }
  }

  /** Reads the object at the current token, to its end. */
  static BoundedObject read(JsonParser parser) throws IOException {
    var names = new HashMap<String, String>();
    var out = new ByteArrayOutputStream();
    var copy = JsonLimits.FACTORY.createGenerator(out);
    var member = "";
    var depth = 0;
    var tokens = 0;
    String problem = null;
    do {
      var token = depth == 0 ? parser.currentToken() : parser.nextToken();
      if (token == null) {
        throw new IOException("an object is incomplete");
      }
      tokens++;
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (depth == 1 && token == JsonToken.FIELD_NAME) {
        member = parser.currentName();
      } else if (depth == 2
          && token == JsonToken.VALUE_STRING
          && member.equals("metadata")
          && NAMES.contains(parser.currentName())) {
        names.put(parser.currentName(), parser.getText());
      }
      if (problem == null) {
        copy.copyCurrentEventExact(parser);
        problem =
            depth > JsonLimits.MAX_DEPTH
                ? "it is nested more than %d deep".formatted(JsonLimits.MAX_DEPTH)
                : JsonLimits.problem("it", out.size() + copy.getOutputBuffered(), tokens);
      }
    } while (depth > 0);
    copy.flush();
    return new BoundedObject(
        names.getOrDefault("namespace", ""),
        names.getOrDefault("name", ""),
        names.getOrDefault("uid", ""),
        names.getOrDefault("resourceVersion", ""),
        problem == null ? out.toByteArray() : new byte[0],
        problem);
  }
}
