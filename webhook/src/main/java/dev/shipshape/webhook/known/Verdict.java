package dev.shipshape.webhook.known;

import java.util.Arrays;
import java.util.Locale;

/** The verdict about a configuration. */
public enum Verdict {
  INVALID,
  /** Reported by a revision or a record, but not confirmed by a node's object: only warns. */
  SUSPECTED,
  /** Not invalid. Older status reports do not count. */
  CLEARED;

  /** Throws IllegalArgumentException if the text has another form. */
  public static Verdict parse(String text) {
    return Arrays.stream(values())
        .filter(verdict -> verdict.toString().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not a verdict: " + text));
  }

  /** The value in the resource. */
  @Override
  public String toString() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }
}
