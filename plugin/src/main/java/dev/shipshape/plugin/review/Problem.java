package dev.shipshape.plugin.review;

import dev.shipshape.audit.Text;

/**
 * Something that cannot be read or judged.
 *
 * @param file as the user typed it; - for standard input
 * @param line from 1
 * @param note whether the review does not fail for it, as for an unguarded object
 */
public record Problem(String file, int line, String message, boolean note) {
  public Problem {
    message = Text.printableLine(message);
  }

  public Problem(String file, int line, String message) {
    this(file, line, message, false);
  }

  public Problem asNote() {
    return new Problem(file, line, message, true);
  }

  @Override
  public String toString() {
    return "%s:%d: %s%s".formatted(Fields.file(file), line, note ? "note: " : "", message);
  }
}
