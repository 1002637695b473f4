package dev.shipshape.webhook.known;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The verdict about a configuration. */
public enum Verdict {
  INVALID,
  /** Reported by a revision or a record, but not confirmed by a node's object: only warns. */
  SUSPECTED,
  /** Not invalid. Older status reports do not count. */
  CLEARED;

  public static Optional<Verdict> of(String text) {
    return Arrays.stream(values()).filter(verdict -> verdict.toString().equals(text)).findFirst();
  }

  /** The value in the resource. */
  @Override
  public String toString() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }
}
