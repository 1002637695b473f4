package dev.shipshape.janitor;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Checks a Quartz expression field by field. Quartz itself takes 99 for any, and has no clear words
 * for other mistakes.
 *
 * @param words in place of numbers, the first for the least one
 * @param special what else an element may be, as a regular expression
 */
record CronFields(String name, int least, int most, List<String> words, String special) {
  private static final String NUMBER = "\\d{1,4}|[A-Z]{3}";
  private static final Pattern ELEMENT =
      Pattern.compile("(?:\\*|(%1$s)(?:-(%1$s))?)(?:/(\\d{1,4}))?".formatted(NUMBER));
  private static final List<CronFields> FIELDS =
      List.of(
          new CronFields("seconds", 0, 59, List.of(), ""),
          new CronFields("minutes", 0, 59, List.of(), ""),
          new CronFields("hours", 0, 23, List.of(), ""),
          new CronFields(
              "day of month",
              1,
              31,
              List.of(),
              "\\?|LW?|L-([1-9]|[12]\\d|30)|([1-9]|[12]\\d|3[01])W"),
          new CronFields(
              "month",
              1,
              12,
              List.of("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ")),
              ""),
          new CronFields(
              "day of week",
              1,
              7,
              List.of("SUN MON TUE WED THU FRI SAT".split(" ")),
              "\\?|L|([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5])"),
          new CronFields("year", 1970, 2099, List.of(), ""));

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
      if (!List.of(texts[i].split(",", -1)).stream().allMatch(field::allows)) {
        throw new IllegalArgumentException(
            "%s \"%s\" must be %d to %d%s: \"%s\""
                .formatted(
                    field.name,
                    texts[i],
                    field.least,
                    field.most,
                    field.words.isEmpty()
                        ? ""
                        : " or %s to %s".formatted(field.words.getFirst(), field.words.getLast()),
                    cron));
      }
    }
    if (texts[3].equals("?") == texts[5].equals("?")) {
      throw new IllegalArgumentException(
          "write ? for the day of month or the day of week, and only for one of them: \"%s\""
              .formatted(cron));
    }
  }

  private boolean allows(String element) {
    var parts = ELEMENT.matcher(element);
    if (!parts.matches()) {
      return element.matches(special);
    }
    var step = parts.group(3);
    return (parts.group(1) == null || isWithin(parts.group(1)))
        && (parts.group(2) == null || isWithin(parts.group(2)))
        && (step == null || (Integer.parseInt(step) > 0 && Integer.parseInt(step) <= most));
  }

  private boolean isWithin(String text) {
    var number =
        Character.isDigit(text.charAt(0)) ? Integer.parseInt(text) : least + words.indexOf(text);
    return (words.contains(text) || Character.isDigit(text.charAt(0)))
        && number >= least
        && number <= most;
  }
}
