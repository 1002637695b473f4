package dev.shipshape.janitor.pace;

import java.time.Duration;

/** What is left of a time that work may take. */
public final class TimeLeft {
  private TimeLeft() {}

  /**
   * How long it still is; zero where it is over.
   *
   * @param end by {@link System#nanoTime}
   */
  public static Duration until(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }
}
