package dev.shipshape.plugin.command;

/** Checks as CI systems show them. */
final class JunitReport {
  private final String name;
  private final StringBuilder cases = new StringBuilder();
  private int tests;
  private int failures;

  JunitReport(String name) {
    this.name = name;
  }

  /** Adds a check, with the empty text if it passed. */
  void add(String check, String failure) {
    tests++;
    cases.append("  <testcase classname=\"%s\" name=\"%s\"".formatted(name, escaped(check)));
    if (failure.isEmpty()) {
      cases.append("/>\n");
    } else {
      failures++;
      cases.append(">\n    <failure message=\"%s\"/>\n  </testcase>\n".formatted(escaped(failure)));
    }
  }

  String xml() {
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuite name="%s" tests="%d" failures="%d" errors="0" skipped="0">
    %s</testsuite>
    """
        .formatted(name, tests, failures, cases);
  }

  /** XML has no way to write control characters. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replaceAll("[\\x00-\\x1f\\ufffe\\uffff]", "?");
  }
}
