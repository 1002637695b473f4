package dev.shipshape.demo;

import dev.shipshape.plugin.release.Console;
import java.util.ArrayList;
import java.util.List;

/** What the demo expects, and whether it came out so. */
final class Checks {
  private record Check(boolean asExpected, String text) {}

  private final Console console;
  private final List<Check> checks = new ArrayList<>();

  Checks(Console console) {
    this.console = console;
  }

  /** Records one expectation and says how it came out. */
  void expect(boolean asExpected, String text) {
    checks.add(new Check(asExpected, text));
    console.verdict(asExpected, text);
  }

  /** Says the sum of it; true where everything came out as expected. */
  boolean summary() {
    var wrong = checks.stream().filter(check -> !check.asExpected()).toList();
    console.heading(
        "%d of %d came out as they should".formatted(checks.size() - wrong.size(), checks.size()));
    wrong.forEach(check -> console.verdict(false, check.text()));
    return wrong.isEmpty() && !checks.isEmpty();
  }
}
