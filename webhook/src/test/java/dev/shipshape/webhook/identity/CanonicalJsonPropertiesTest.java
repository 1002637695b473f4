package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CanonicalJsonPropertiesTest {
  private static final int TRIES = 20_000;
  private static final int DEEPEST = 5;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Texts and names are made of these. The halves of a pair may come apart or together. */
  private static final List<String> PIECES =
      List.of(
          "a", "name", "ü", "€", "😀", "\ud83d", "\ude00", "\n", "\t", "\"", "\\", "/", "\u0001",
          "\u007f", "\u0080", "\ufb33", "\u2028", " ", "{", "]", ",", ":");

  private static final JsonMapper COMPACT =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  @Test
  void anyJsonComesOutAsFromItsTree() throws Exception {
    for (var seed = 0; seed < TRIES; seed++) {
      var value = value(new Random(seed), 0);
      var expected = PlainCanonicalJson.write(value);

      var spelling = seed % 2 == 0 ? COMPACT.writer() : COMPACT.writerWithDefaultPrettyPrinter();
      assertThat(canonical(spelling.writeValueAsBytes(value)))
          .as("seed %d: %s", seed, value)
          .isEqualTo(expected);
      // What is canonical holds more than ASCII as it is, and stays the same.
      assertThat(canonical(expected.getBytes(StandardCharsets.UTF_8)))
          .as("seed %d, canonical before", seed)
          .isEqualTo(expected);
    }
  }

  private static String canonical(byte[] json) throws IOException {
    var tree = JsonLimits.MAPPER.readTree(json);
    return new String(CanonicalJson.write(tree), StandardCharsets.UTF_8);
  }

  private static JsonNode value(Random random, int depth) {
    return switch (random.nextInt(depth > DEEPEST ? 6 : 9)) {
      case 0 -> NODES.textNode(text(random));
      case 1 -> NODES.numberNode(random.nextLong() >> random.nextInt(64));
      case 2 -> NODES.booleanNode(random.nextBoolean());
      case 3 -> NODES.nullNode();
      case 4 -> NODES.numberNode(new BigInteger(1 + random.nextInt(200), random).negate());
      case 5 -> NODES.numberNode(BigDecimal.valueOf(random.nextInt(), random.nextInt(40) - 20));
      case 6 -> {
        var list = NODES.arrayNode();
        for (var count = random.nextInt(5); count > 0; count--) {
          list.add(value(random, depth + 1));
        }
        yield list;
      }
      default -> {
        var object = NODES.objectNode();
        for (var count = random.nextInt(6); count > 0; count--) {
          object.set(name(random), value(random, depth + 1));
        }
        yield object;
      }
    };
  }

  /** A parser refuses half a pair in a name. */
  private static String name(Random random) {
    var name = text(random);
    return name.codePoints().anyMatch(point -> Character.getType(point) == Character.SURROGATE)
        ? "name"
        : name;
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    for (var count = random.nextInt(5); count > 0; count--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }
}
