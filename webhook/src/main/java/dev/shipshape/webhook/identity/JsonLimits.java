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
 * Bounds of what clients write, the same for what a review brings and for what is stored: a
 * configuration that cannot be judged where it is stored is refused where it is written.
 */
public final class JsonLimits {
  /** What the API server takes for one object; etcd stores half of it, unless told otherwise. */
  private static final int OBJECT_BYTES = 3 * 1024 * 1024;

  /** A configuration of 1.5 MiB has some 210,000. */
  private static final int OBJECT_TOKENS = 250_000;

  /** What a review has: the object, the old one, and some more. */
  private static final int REVIEW_TOKENS = 2 * OBJECT_TOKENS + 20_000;

  /** Deeper than any configuration, and far from what a thread's stack can bear. */
  public static final int DEEPEST = 200;

  /** Reads within the bounds; beyond them a StreamConstraintsException is thrown. */
  public static final JsonFactory FACTORY =
      JsonFactory.builder()
          // Names of others' choice would stay in the JVM's own table.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(400)
                  .maxNameLength(4096)
                  .maxStringLength(OBJECT_BYTES)
                  .maxTokenCount(REVIEW_TOKENS)
                  .build())
          .build();

  /** Makes no number whose exponent leaves no room for its canonical form. */
  public static final JsonNodeFactory NODES =
      new JsonNodeFactory() {
        private static final long serialVersionUID = 1L;

        // Throws an ArithmeticException beyond that.
        @Override
        public ValueNode numberNode(BigDecimal value) {
          return DecimalNode.valueOf(value.stripTrailingZeros());
        }
      };

  /** Makes trees within the bounds. */
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
   * Reads one value within the bounds.
   *
   * @throws IOException if it is not JSON, is beyond the bounds, or has a number without a
   *     canonical form, whose field it names
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

  /** Why an object of this size cannot be judged, in one line; null where it can. */
  public static @Nullable String problem(String object, int bytes, long tokens) {
    return bytes <= OBJECT_BYTES && tokens <= OBJECT_TOKENS
        ? null
        : "%s is too large to be judged: %d bytes with %d names, values and brackets; at most %d with %d are"
            .formatted(object, bytes, tokens, OBJECT_BYTES, OBJECT_TOKENS);
  }

  /**
   * The same, of a tree.
   *
   * @param bytes at most
   */
  public static @Nullable String problem(String name, JsonNode object, int bytes) {
    return bytes < OBJECT_TOKENS ? null : problem(name, 0, tokens(object));
  }

  private static long tokens(JsonNode value) {
    var within = value.isObject() ? value.size() : 0L;
    for (var child : value) {
      within += tokens(child);
    }
    return within + (value.isContainerNode() ? 2 : 1);
  }
}
