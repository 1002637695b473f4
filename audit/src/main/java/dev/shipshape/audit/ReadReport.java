package dev.shipshape.audit;

import java.util.List;

/**
 * What was read.
 *
 * @param events all, before the filter
 * @param matched those that the filter let through
 * @param broken how many lines could not be read
 * @param examples the first of them, by file and line
 */
public record ReadReport(long events, long matched, long broken, List<BrokenLine> examples) {
  /** So many lines are named. */
  static final int EXAMPLES = 20;

  /** Its list is its own. */
  public ReadReport {
    examples = List.copyOf(examples);
  }

  /**
   * A line that could not be read.
   *
   * @param line from 1
   */
  public record BrokenLine(String file, long line, String reason) {
    @Override
    public String toString() {
      return "%s:%d: %s".formatted(file, line, reason);
    }
  }
}
