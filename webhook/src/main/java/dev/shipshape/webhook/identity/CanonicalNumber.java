package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/** Formats numbers as ECMAScript (RFC 8785, 3.2.2.3), and integers of any size in full. */
final class CanonicalNumber {
  /** ECMAScript uses an exponent from this power of ten on, and below 1e-6, as BigDecimal does. */
  private static final int PLAIN_DIGITS = 21;

  private static final Pattern NOT_WHOLE = Pattern.compile("[.eE]");
  private static final MathContext ONE_DIGIT = new MathContext(1, RoundingMode.HALF_EVEN);

  private CanonicalNumber() {}

  static String of(JsonNode number) {
    return number.isIntegralNumber() ? number.asText() : of(number.decimalValue());
  }

  /** Returns the node that a parser makes of the canonical form: equal numbers, equal nodes. */
  static JsonNode reduced(JsonNode number) {
    var canonical = of(number);
    if (NOT_WHOLE.matcher(canonical).find()) {
      return DecimalNode.valueOf(new BigDecimal(canonical));
    }
    var whole = new BigInteger(canonical);
    return whole.bitLength() < Integer.SIZE
        ? IntNode.valueOf(whole.intValue())
        : whole.bitLength() < Long.SIZE
            ? LongNode.valueOf(whole.longValue())
            : BigIntegerNode.valueOf(whole);
  }

  private static String of(BigDecimal number) {
    var value = number.doubleValue();
    return Double.isFinite(value) ? of(value) : number.stripTrailingZeros().toString();
  }

  static String of(double value) {
    var shortest = shortest(value);
    return shortest.scale() < 0 && shortest.precision() - shortest.scale() <= PLAIN_DIGITS
        ? shortest.toPlainString()
        : shortest.toString().replace('E', 'e');
  }

  /** The fewest digits that parse to the same value. */
  private static BigDecimal shortest(double value) {
    var shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    if (shortest.precision() == 2) {
      // Java always writes at least two digits, so it does not find 5e-324.
      var one = shortest.round(ONE_DIGIT);
      return one.doubleValue() == value ? one.stripTrailingZeros() : shortest;
    }
    return shortest;
  }
}
