package dev.shipshape.webhook.known;

import java.util.Arrays;
import java.util.Optional;

/** What counts of a known configuration. */
public enum Verdict {
  INVALID("Invalid"),
  /** A revision's status or a record says so, and no node's object supports it: only warned of. */
  SUSPECTED("Suspected"),
  /** No status that was written before counts. */
  CLEARED("Cleared");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  public static Optional<Verdict> of(String text) {
    return Arrays.stream(values()).filter(verdict -> verdict.text.equals(text)).findFirst();
  }

  /** As the resource has it. */
  @Override
  public String toString() {
    return text;
  }
}
