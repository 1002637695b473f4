package dev.shipshape.plugin;

/** Text from audit logs, for people. */
final class AuditText {
  private AuditText() {}

  /** What clients send must not move a terminal's cursor. */
  static String printable(String text) {
    return text.replaceAll("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]", "?");
  }
}
