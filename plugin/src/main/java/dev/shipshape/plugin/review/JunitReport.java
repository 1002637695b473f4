package dev.shipshape.plugin.review;

/** Writes checks as JUnit XML. */
public final class JunitReport {
  private final String name;
  private final StringBuilder cases = new StringBuilder();
  private int tests;
  private int failures;
  private int errors;

  public JunitReport(String name) {
    this.name = name;
  }

  /** Adds a check; an empty failure means that it passed. */
  public void add(String check, String failure) {
    add(name, check, failure);
  }

  /** Adds a check of a class; an empty failure means that it passed. */
  void add(String className, String check, String failure) {
    if (failure.isEmpty()) {
      testCase(className, check, "");
    } else {
      failures++;
      testCase(className, check, element("failure", failure));
    }
  }

  /** Adds a check that could not be made. */
  void error(String className, String check, String error) {
    errors++;
    testCase(className, check, element("error", error));
  }

  private void testCase(String className, String check, String content) {
    tests++;
    cases.append(
        "  <testcase classname=\"%s\" name=\"%s\"".formatted(escaped(className), escaped(check)));
    cases.append(content.isEmpty() ? "/>\n" : ">\n" + content + "  </testcase>\n");
  }

  /** The first line is the message; some readers show the element's text alone. */
  private static String element(String name, String text) {
    var message = escaped(text.lines().findFirst().orElse(""));
    return "    <%1$s message=\"%2$s\">%3$s</%1$s>\n".formatted(name, message, escaped(text));
  }

  public String xml() {
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuite name="%s" tests="%d" failures="%d" errors="%d" skipped="0">
    %s</testsuite>
    """
        .formatted(escaped(name), tests, failures, errors, cases);
  }

  /** XML cannot contain control characters. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replaceAll("[\\x00-\\x08\\x0b-\\x1f\\ufffe\\uffff]", "?");
  }
}
