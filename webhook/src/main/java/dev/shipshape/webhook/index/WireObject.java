package dev.shipshape.webhook.index;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One object of a list or a watch, as bytes: what it costs to read it further is known before.
 *
 * @param json none where there is a problem
 * @param tokens how many names, values and brackets it has
 * @param problem why it cannot be read; null where it can
 */
@SuppressWarnings("ArrayRecordComponent")
public record WireObject(
    String namespace,
    String name,
    String uid,
    String resourceVersion,
    byte[] json,
    int tokens,
    @Nullable String problem) {
  private static final Set<String> NAMES = Set.of("namespace", "name", "uid", "resourceVersion");

  /**
   * The object as a tree.
   *
   * @throws IOException where it is beyond the bounds
   */
  public JsonNode tree() throws IOException {
    if (problem != null) {
      throw new IOException(problem);
    }
    return JsonLimits.MAPPER.readTree(json);
  }

  /** The object as the index names it. */
  String key() {
    return IndexedObject.key(namespace, name);
  }

  /** Takes the object that begins at the parser's token, to its end, and goes past it. */
  static WireObject take(JsonParser parser) throws IOException {
    return new Taking(parser).take();
  }

  private static final class Taking {
    private final JsonParser parser;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<String, String> named = new HashMap<>();
    private int depth;
    private int tokens;
    private String member = "";
    private @Nullable String problem;

    Taking(JsonParser parser) {
      this.parser = parser;
    }

    WireObject take() throws IOException {
      var copy = JsonLimits.FACTORY.createGenerator(out);
      var token = parser.currentToken();
      do {
        if (token == null) {
          throw new IOException("an object ends before its end");
        }
        note(token);
        if (problem == null) {
          copy(copy);
        }
        token = depth == 0 ? null : parser.nextToken();
      } while (depth > 0);
      if (problem == null) {
        copy.flush();
      }
      return new WireObject(
          named("namespace"),
          named("name"),
          named("uid"),
          named("resourceVersion"),
          problem == null ? out.toByteArray() : new byte[0],
          tokens,
          problem);
    }

    private void note(JsonToken token) throws IOException {
      tokens++;
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (depth == 1 && token == JsonToken.FIELD_NAME) {
        member = parser.currentName();
      } else if (depth == 2
          && token == JsonToken.VALUE_STRING
          && member.equals("metadata")
          && NAMES.contains(parser.currentName())) {
        named.put(parser.currentName(), parser.getText());
      }
    }

    private void copy(JsonGenerator copy) throws IOException {
      copy.copyCurrentEventExact(parser);
      problem =
          depth > JsonLimits.DEEPEST
              ? "it is nested more than %d deep".formatted(JsonLimits.DEEPEST)
              : JsonLimits.problem("it", out.size() + copy.getOutputBuffered(), tokens);
      if (problem != null) {
        out.reset();
      }
    }

    private String named(String what) {
      return named.getOrDefault(what, "");
    }
  }
}
