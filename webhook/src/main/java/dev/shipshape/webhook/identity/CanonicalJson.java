package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
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
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          // The one way in which half a surrogate pair can be written.
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private CanonicalJson() {}

  /** The canonical bytes, UTF-8. */
  public static byte[] write(JsonNode value) {
    return canonical(value).bytes();
  }

  static Utf8Buffer canonical(JsonNode value) {
    return write(value, Set.of(), RuleTree.EMPTY);
  }

  static Utf8Buffer write(JsonNode value, Set<Absence> absences, RuleTree rules) {
    try {
      var json = MAPPER.writeValueAsBytes(value.isMissingNode() ? NullNode.getInstance() : value);
      return Canonicaliser.write(new JsonBytes(json, 0, json.length), absences, rules, json.length);
    } catch (IOException e) {
      throw new UncheckedIOException("parsed JSON cannot fail to be written", e);
    }
  }
}
