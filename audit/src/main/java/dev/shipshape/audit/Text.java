package dev.shipshape.audit;

import java.util.regex.Pattern;

/** Text from logs, for people. */
public final class Text {
  /** Controls, but the line feed; and what turns the direction of writing. */
  private static final Pattern UNSAFE =
      Pattern.compile(
          "[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");

  private Text() {}

  /** What clients send must not move a terminal's cursor, nor look like something else. */
  public static String printable(String text) {
    for (var i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return UNSAFE.matcher(text).replaceAll("?");
      }
    }
    return text;
  }

  /** The same, for one line. */
  public static String printableLine(String text) {
    return printable(text).replace('\n', ' ');
  }
}
