package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Plan.Stop;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How much one run may do, whatever the rules say of each session.
 *
 * @param keepNewest that many of the newest complete sessions whose names match are always kept
 * @param maxPerRun the most that one run deletes, oldest first; the rest goes next time
 * @param maxPercent where more than that share of all sessions would go, the run stops and deletes
 *     nothing; null for no such bound. Measured before {@code maxPerRun} cuts, so that many runs
 *     cannot do what one may not.
 * @param clockTolerance how far the server's clock and ours may be apart
 */
public record Limits(
    int keepNewest, int maxPerRun, @Nullable Integer maxPercent, Duration clockTolerance) {

  /** Whether the two clocks are too far apart for any age to be trusted. */
  Optional<Stop> clocksApart(Instant server, Instant own) {
    return Duration.between(server, own).abs().compareTo(clockTolerance) > 0
        ? Optional.of(new Stop.ClocksApart(server, own))
        : Optional.empty();
  }
}
