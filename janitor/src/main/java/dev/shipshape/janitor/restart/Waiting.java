package dev.shipshape.janitor.restart;

import java.time.Duration;
import java.time.Instant;

/**
 * Sessions that the operator has given no Job yet.
 *
 * @param seen when they were listed, by our clock
 * @param count how many there are
 * @param longest how long the oldest of them has waited, by the server's clock; zero where none
 *     does, or where none says since when
 */
public record Waiting(Instant seen, int count, Duration longest) {

  /** Whether one waits for at least so long. */
  public boolean isAtLeast(Duration time) {
    return count > 0 && longest.compareTo(time) >= 0;
  }
}
