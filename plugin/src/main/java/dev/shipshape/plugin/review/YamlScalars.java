package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.webhook.identity.JsonLimits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * Reads scalars as kubectl and Helm do, by YAML 1.1 with Go's numbers: {@code yes} is true, {@code
 * 010} is eight.
 */
final class YamlScalars {
  private static final JsonNodeFactory JSON = JsonLimits.NODES;
  private static final String TAG = "tag:yaml.org,2002:";
  private static final Pattern FRACTION =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

  private static final Pattern INFINITE = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  /** The number of digits that fit into 63 bits in any radix. */
  private static final int LONG_DIGITS = 15;

  private static final int PLAIN_DIGITS = 4;

  private YamlScalars() {}

  /**
   * @throws IllegalArgumentException if JSON has no such value
   */
  static JsonNode read(ScalarEvent scalar) {
    var text = scalar.getValue();
    var tag = scalar.getTag().orElse("");
    return switch (tag) {
      case "" -> scalar.isPlain() ? plain(text) : JSON.textNode(text);
      case TAG + "null", TAG + "bool", TAG + "int", TAG + "float" -> plain(text);
      case TAG + "binary" ->
          JSON.textNode(new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8));
      default -> JSON.textNode(text);
    };
  }

  /**
   * Returns the field name that this scalar means.
   *
   * @throws IllegalArgumentException if kubectl refuses a name of this type
   */
  static String name(ScalarEvent key) {
    var value = read(key);
    if (value.isBigDecimal()) {
      // Go prints other numbers with fewer digits, or with an exponent.
      var number = value.decimalValue();
      if (number.precision() <= PLAIN_DIGITS && Math.abs(number.scale()) < PLAIN_DIGITS) {
        return number.toPlainString();
      }
    }
    if (value.isNull() || value.isBigDecimal()) {
      throw new IllegalArgumentException("has the key %s: quote it".formatted(key.getValue()));
    }
    return value.asText();
  }

  private static JsonNode plain(String text) {
    return switch (text) {
      case "", "~", "null", "Null", "NULL" -> JSON.nullNode();
      case "true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON" ->
          JSON.booleanNode(true);
      case "false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF" ->
          JSON.booleanNode(false);
      default -> {
        if (text.length() <= "+.inf".length() && INFINITE.matcher(text).matches()) {
          throw new IllegalArgumentException(
              "has the number %s, which JSON has not".formatted(text));
        }
        yield mayBeNumber(text) ? number(text) : JSON.textNode(text);
      }
    };
  }

  private static boolean mayBeNumber(String text) {
    var first = text.charAt(0);
    return ((first >= '0' && first <= '9') || "-+.".indexOf(first) >= 0) && !text.startsWith("._");
  }

  private static JsonNode number(String text) {
    var number = text.replace("_", "");
    var isSigned = number.charAt(0) == '-' || number.charAt(0) == '+';
    var digits = isSigned ? number.substring(1) : number;
    var radix = 10;
    var isPrefixed = false;
    if (digits.length() > 1 && digits.charAt(0) == '0') {
      radix =
          switch (digits.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'b', 'B' -> 2;
            default -> 8;
          };
      isPrefixed = "xXbBoO".indexOf(digits.charAt(1)) >= 0;
      digits = digits.substring(isPrefixed ? 2 : 1);
    }
    if (digits.length() <= Long.SIZE && areDigits(digits, radix)) {
      var sign = number.charAt(0) == '-' ? "-" : "";
      if (digits.length() <= LONG_DIGITS) {
        return JSON.numberNode(Long.parseLong(sign + digits, radix));
      }
      var integer = new BigInteger(sign + digits, radix);
      if (integer.bitLength() < Long.SIZE) {
        return JSON.numberNode(integer.longValue());
      }
      // The API server stores larger numbers as doubles.
      if (integer.bitLength() == Long.SIZE && !isSigned) {
        return real(integer.doubleValue());
      }
    }
    var isReal = !isPrefixed && FRACTION.matcher(number).matches();
    var real = isReal ? Double.parseDouble(number) : Double.NaN;
    return Double.isFinite(real) ? real(real) : JSON.textNode(text);
  }

  private static boolean areDigits(String text, int radix) {
    for (var at = 0; at < text.length(); at++) {
      if (text.charAt(at) > 'f' || Character.digit(text.charAt(at), radix) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static JsonNode real(double number) {
    return JSON.numberNode(new BigDecimal(Double.toString(number)));
  }
}
