package dev.shipshape.plugin.review;

/**
 * Something that cannot be read or judged.
 *
 * @param file as it was named; - for standard input
 * @param line from 1
 */
public record Problem(String file, int line, String message) {
  public Problem {
    message = Fields.printable(message);
  }

  @Override
  public String toString() {
    return "%s:%d: %s".formatted(Fields.file(file), line, message);
  }
}
