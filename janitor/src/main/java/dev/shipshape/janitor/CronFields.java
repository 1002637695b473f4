package dev.shipshape.janitor;

import java.util.List;
import java.util.Locale;

/**
 * A field of a Quartz expression. Each is checked here: Quartz itself takes 99 for any, and has no
 * clear words for other mistakes.
 *
 * @param range for messages
 * @param value one value, as a regular expression
 * @param special what else an element may be, as a regular expression
 */
record CronFields(String name, String range, String value, String special) {
  /** Matches nothing. */
  private static final String NONE = "(?!)";

  private static final String DAY_OF_MONTH = "0?[1-9]|[12]\\d|3[01]";
  private static final String DAY_OF_WEEK = "[1-7]|SUN|MON|TUE|WED|THU|FRI|SAT";
  private static final String MONTH =
      "0?[1-9]|1[0-2]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC";
  private static final List<CronFields> FIELDS =
      List.of(
          new CronFields("seconds", "0 to 59", "[0-5]?\\d", NONE),
          new CronFields("minutes", "0 to 59", "[0-5]?\\d", NONE),
          new CronFields("hours", "0 to 23", "[01]?\\d|2[0-3]", NONE),
          new CronFields(
              "day of month",
              "1 to 31",
              DAY_OF_MONTH,
              "\\?|LW?|L-([1-9]|[12]\\d|30)|(%s)W".formatted(DAY_OF_MONTH)),
          new CronFields("month", "1 to 12 or JAN to DEC", MONTH, NONE),
          new CronFields(
              "day of week",
              "1 to 7 or SUN to SAT",
              DAY_OF_WEEK,
              "\\?|L|(%s)(L|#[1-5])".formatted(DAY_OF_WEEK)),
          new CronFields("year", "1970 to 2099", "19[7-9]\\d|20\\d\\d", NONE));

  /**
   * Checks an expression.
   *
   * @throws IllegalArgumentException if a field is wrong
   */
  static void check(String cron) {
    var texts = cron.strip().toUpperCase(Locale.ROOT).split("\\s+", -1);
    if (texts.length == 5) {
      throw new IllegalArgumentException(
          "has five fields; a Quartz expression has seconds first, such as \"0 0 * * * ?\" for"
              + " every hour: \"%s\"".formatted(cron));
    }
    if (texts.length < 6 || texts.length > 7) {
      throw new IllegalArgumentException(
          "not a Quartz cron expression (seconds first, six or seven fields, like \"%s\"): \"%s\""
              .formatted(Schedule.QUARTERLY, cron));
    }
    for (var i = 0; i < texts.length; i++) {
      var field = FIELDS.get(i);
      if (!texts[i].matches("(%1$s)(,(%1$s))*".formatted(field.element()))) {
        throw new IllegalArgumentException(
            "%s \"%s\" must be %s: \"%s\"".formatted(field.name, texts[i], field.range, cron));
      }
    }
    if (texts[3].equals("?") == texts[5].equals("?")) {
      throw new IllegalArgumentException(
          "write ? for the day of month or the day of week, and only for one of them: \"%s\""
              .formatted(cron));
    }
  }

  private String element() {
    return "(\\*|(%1$s)(-(%1$s))?)(/0*[1-9]\\d*)?|%2$s".formatted(value, special);
  }
}
