package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * JSON in the one form of RFC 8785: members sorted by UTF-16 code units, no white space, shortest
 * numbers and escapes.
 *
 * <p>Where that RFC gives up, this goes on, so that any JSON has a form: an integer beyond 2^53 is
 * written in full (rounding it would make two different values equal), a number beyond a double's
 * range as it was given, and half a surrogate pair as its escape.
 */
public final class CanonicalJson {
  private static final int LIKELY_SIZE = 8192;

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private CanonicalJson() {}

  /** The canonical bytes, UTF-8. */
  public static byte[] write(JsonNode value) {
    return write(value, Set.of(), RuleTree.EMPTY).bytes();
  }

  static Utf8Buffer write(JsonNode value, Set<Absence> absences, RuleTree rules) {
    var present = value.isMissingNode() ? NullNode.getInstance() : value;
    try (var parser = present.traverse()) {
      return Canonicaliser.write(parser, absences, rules, LIKELY_SIZE);
    } catch (IOException e) {
      throw new UncheckedIOException("parsed JSON cannot fail to be read", e);
    }
  }

  static JsonNode read(Utf8Buffer canonical) {
    try {
      return MAPPER.readTree(canonical.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException("canonical JSON cannot fail to be read", e);
    }
  }
}
