package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
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
  private CanonicalJson() {}

  /** The canonical bytes, UTF-8. */
  public static byte[] write(JsonNode value) {
    return canonical(value).bytes();
  }

  static Utf8Buffer canonical(JsonNode value) {
    return write(value, Set.of(), RuleTree.EMPTY);
  }

  static Utf8Buffer write(JsonNode value, Set<EmptyValues> absences, RuleTree rules) {
    try {
      return Canonicaliser.write(value.traverse(), absences, rules, 0);
    } catch (IOException e) {
      throw new UncheckedIOException("a tree has no member twice", e);
    }
  }
}
