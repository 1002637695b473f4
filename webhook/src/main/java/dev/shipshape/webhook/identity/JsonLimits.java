package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Limits of JSON from clients. Reviews and stored objects have the same limits of tokens, names and
 * numbers, so that the webhook refuses every object that the index could not read.
 */
public final class JsonLimits {
  /** The API server's limit for one object. By default etcd stores half of it. */
  private static final int MAX_OBJECT_BYTES = 3 * 1024 * 1024;

  /** A configuration of 1.5 MiB has about 210,000. */
  private static final int MAX_OBJECT_TOKENS = 250_000;

  /** A review has the object, the old object and the request. */
  private static final int MAX_REVIEW_TOKENS = 2 * MAX_OBJECT_TOKENS + 20_000;

  /** Deeper than any configuration, and safe for a thread's stack. */
  public static final int MAX_DEPTH = 200;

  /** Throws a StreamConstraintsException beyond the limits. */
  public static final JsonFactory FACTORY =
      JsonFactory.builder()
          // Names that clients choose would fill the JVM's table of interned strings.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(400)
                  .maxNameLength(4096)
                  .maxStringLength(MAX_OBJECT_BYTES)
                  .maxTokenCount(MAX_REVIEW_TOKENS)
                  .build())
          .build();

  /** Rejects numbers whose exponent is too large for the canonical form. */
  public static final JsonNodeFactory NODES =
      new JsonNodeFactory() {
        private static final long serialVersionUID = 1L;

        // stripTrailingZeros throws an ArithmeticException for such numbers.
        @Override
        public ValueNode numberNode(BigDecimal value) {
          return DecimalNode.valueOf(value.stripTrailingZeros());
        }
      };

  /** Reads trees within the limits. */
  public static final JsonMapper MAPPER =
      JsonMapper.builder(FACTORY)
          .nodeFactory(NODES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          // A double cannot hold 1e400, and two such numbers would become one.
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static final ObjectReader READER =
      MAPPER.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonLimits() {}

  /**
   * Reads one value within the limits.
   *
   * @throws IOException if the text is not JSON or exceeds a limit, or if a number has no canonical
   *     form; the message names the field
   */
  public static JsonNode tree(byte[] json) throws IOException {
    try (var parser = FACTORY.createParser(json)) {
      return read(parser);
    }
  }

  private static JsonNode read(JsonParser parser) throws IOException {
    try {
      JsonNode tree = READER.readTree(parser);
      return tree == null ? MissingNode.getInstance() : tree;
    } catch (ArithmeticException | NumberFormatException e) {
      var field = parser.getParsingContext().pathAsPointer();
      throw new IOException("the exponent of the number at %s is too large".formatted(field), e);
    }
  }

  /** Why an object of this size is too large, in one line; null if it is not. */
  public static @Nullable String problem(String object, int bytes, long tokens) {
    return bytes <= MAX_OBJECT_BYTES && tokens <= MAX_OBJECT_TOKENS
        ? null
        : "%s is too large to be judged: %d bytes with %d names, values and brackets; the limits are %d and %d"
            .formatted(object, bytes, tokens, MAX_OBJECT_BYTES, MAX_OBJECT_TOKENS);
  }

  /** Why a tree of at most this many bytes is too large, in one line; null if it is not. */
  public static @Nullable String problem(String name, JsonNode object, int bytes) {
    var tokens = bytes < MAX_OBJECT_TOKENS ? 0 : tokens(object);
    return tokens <= MAX_OBJECT_TOKENS
        ? null
        : "%s is too large to be judged: it has %d names, values and brackets; the limit is %d"
            .formatted(name, tokens, MAX_OBJECT_TOKENS);
  }

  private static long tokens(JsonNode value) {
    var within = value.isObject() ? value.size() : 0L;
    for (var child : value) {
      within += tokens(child);
    }
    return within + (value.isContainerNode() ? 2 : 1);
  }
}
