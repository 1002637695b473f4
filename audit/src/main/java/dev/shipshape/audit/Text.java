package dev.shipshape.audit;

/** Text from logs, for people. */
final class Text {
  private Text() {}

  /** What clients send must not move a terminal's cursor. */
  static String printable(String text) {
    for (var i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return text.replaceAll("[\\x00-\\x1f\\x7f-\\x9f]", "?");
      }
    }
    return text;
  }
}
