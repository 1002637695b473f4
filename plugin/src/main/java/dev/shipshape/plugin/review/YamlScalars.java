package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.webhook.identity.JsonLimits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * What a scalar is to kubectl and Helm, which read YAML 1.1 with Go's numbers: {@code yes} is true,
 * {@code 010} is eight.
 */
final class YamlScalars implements Schema {
  /** Of what has no tag in the text. */
  private static final Tag UNTAGGED = new Tag("untagged");

  private static final JsonNodeFactory JSON = JsonLimits.NODES;
  private static final Pattern INTEGER = Pattern.compile("([-+]?)(0b|0o|0x|)([0-9a-fA-F_]+)");
  private static final Pattern FRACTION =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

  /** Leaves it all to {@link #read}: the library's own resolver takes a third of the time. */
  @Override
  public ScalarResolver getScalarResolver() {
    return (text, isPlain) -> UNTAGGED;
  }

  @Override
  public Map<Tag, ConstructNode> getSchemaTagConstructors() {
    return Map.of();
  }

  /**
   * @throws ArithmeticException or NumberFormatException if a number's exponent is too large
   */
  static JsonNode read(ScalarNode scalar) {
    var text = scalar.getValue();
    if (scalar.getScalarStyle() != ScalarStyle.PLAIN || scalar.getTag().equals(Tag.STR)) {
      return JSON.textNode(text);
    }
    return switch (text) {
      case "", "~", "null", "Null", "NULL" -> JSON.nullNode();
      case "true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON" ->
          JSON.booleanNode(true);
      case "false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF" ->
          JSON.booleanNode(false);
      default ->
          Character.isDigit(text.charAt(0)) || "+-.".indexOf(text.charAt(0)) >= 0
              ? number(text)
              : JSON.textNode(text);
    };
  }

  private static JsonNode number(String text) {
    var integer = INTEGER.matcher(text);
    if (integer.matches()) {
      var digits = integer.group(3).replace("_", "");
      var number = integer(integer.group(2), integer.group(1), digits);
      if (number.isPresent()) {
        return number.get();
      }
    }
    return FRACTION.matcher(text).matches()
        ? JSON.numberNode(new BigDecimal(text))
        : JSON.textNode(text);
  }

  /** Empty if the digits are not of that radix, as of {@code 1e3} and {@code 08}. */
  private static Optional<JsonNode> integer(String prefix, String sign, String digits) {
    var radix =
        switch (prefix) {
          case "0x" -> 16;
          case "0o" -> 8;
          case "0b" -> 2;
          default -> digits.length() > 1 && digits.charAt(0) == '0' ? 8 : 10;
        };
    try {
      var number = new BigInteger(sign + digits, radix);
      return Optional.of(
          number.bitLength() < Long.SIZE
              ? JSON.numberNode(number.longValue())
              : JSON.numberNode(number));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
