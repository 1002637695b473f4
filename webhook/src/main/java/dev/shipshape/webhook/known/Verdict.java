package dev.shipshape.webhook.known;

import java.util.Arrays;
import java.util.Optional;

/** The verdict about a configuration. */
public enum Verdict {
  INVALID("Invalid"),
  /** Reported by a revision or a record, but not confirmed by a node's object: only warns. */
  SUSPECTED("Suspected"),
  /** Not invalid. Older status reports do not count. */
  CLEARED("Cleared");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  public static Optional<Verdict> of(String text) {
    return Arrays.stream(values()).filter(verdict -> verdict.text.equals(text)).findFirst();
  }

  /** The value in the resource. */
  @Override
  public String toString() {
    return text;
  }
}
