package dev.shipshape.janitor.restart;

import dev.shipshape.service.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Detects an operator that logs nothing. An idle operator is silent too, so silence counts only
 * while a session waits.
 *
 * @param after the time without a line, and the wait time of a session, from which silence counts
 */
record LogStall(Duration after, WaitingSessions sessions) {
  /** Describes the silence in one line; empty if the operator is not silent, or this is unknown. */
  Optional<String> evaluate(List<InstanceHealth> instances, Instant now) {
    var lastActivity = lastActivity(instances);
    if (lastActivity == null || lastActivity.isAfter(now.minus(after))) {
      return Optional.empty();
    }
    return sessions
        .recent()
        .filter(waiting -> waiting.longest().compareTo(after) >= 0)
        .map(
            waiting ->
                "no line since %s, while %d sessions wait, one for %s"
                    .formatted(lastActivity, waiting.count(), Durations.format(waiting.longest())));
  }

  /** The latest activity of all instances; null if that of one is unknown: it may be active. */
  private static @Nullable Instant lastActivity(List<InstanceHealth> instances) {
    Instant last = null;
    for (var instance : instances) {
      var activity = instance.lastActivity();
      if (activity == null) {
        return null;
      }
      last = last == null || activity.isAfter(last) ? activity : last;
    }
    return last;
  }
}
