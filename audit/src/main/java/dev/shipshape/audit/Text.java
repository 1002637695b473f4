package dev.shipshape.audit;

import java.util.regex.Pattern;

/** Text from logs, for people. */
public final class Text {
  /**
   * Control characters except the line feed, halves of surrogate pairs, which no file can hold, and
   * characters that change the writing direction.
   */
  private static final Pattern UNSAFE =
      Pattern.compile(
          "[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\p{Cs}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");

  private Text() {}

  /**
   * Escapes what could move a terminal's cursor, disguise other text, or be a command to an agent
   * of Azure Pipelines or, in its older form, to a runner of GitHub.
   */
  public static String printable(String shown) {
    var text = shown.replace("\r\n", "\n").replace("##[", "##_[").replace("##vso[", "##_vso[");
    for (var i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return UNSAFE.matcher(text).replaceAll("?");
      }
    }
    return text;
  }

  public static String printableLine(String text) {
    return printable(text).replace('\n', ' ');
  }
}
