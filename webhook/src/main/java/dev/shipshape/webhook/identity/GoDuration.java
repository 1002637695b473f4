package dev.shipshape.webhook.identity;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses durations as Go's time.ParseDuration does ({@code 1m30s}, {@code 1.5h}). */
final class GoDuration {
  private static final String NUMBER = "(\\d{1,18}(?:\\.\\d{0,18})?|\\.\\d{1,18})";
  private static final Pattern PART = Pattern.compile(NUMBER + "(ns|us|µs|μs|ms|s|m|h)");
  private static final Pattern WHOLE = Pattern.compile("([+-]?)((?:" + PART + "){1,16})");
  private static final Map<String, Long> NANOSECONDS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  static String canonical(String text) {
    if (text.equals("0")) {
      return "0ns";
    }
    var whole = WHOLE.matcher(text);
    if (!whole.matches()) {
      return text;
    }
    var sum = BigDecimal.ZERO;
    var part = PART.matcher(whole.group(2));
    while (part.find()) {
      var unit = BigDecimal.valueOf(NANOSECONDS.getOrDefault(part.group(2), 0L));
      sum = sum.add(new BigDecimal(part.group(1)).multiply(unit));
    }
    var signed = whole.group(1).equals("-") ? sum.negate() : sum;
    return signed.stripTrailingZeros().toPlainString() + "ns";
  }
}
