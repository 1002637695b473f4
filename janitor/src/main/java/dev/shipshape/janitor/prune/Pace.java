package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * How hard one run works.
 *
 * @param workers requests under way at once
 * @param perSecond the most requests to delete in a second
 * @param patience how long to go on where the server carries nothing out
 */
public record Pace(int workers, int perSecond, Duration patience) {
  static final Duration PATIENCE = Duration.ofMinutes(2);

  public Pace(int workers, int perSecond) {
    this(workers, perSecond, PATIENCE);
  }
}
