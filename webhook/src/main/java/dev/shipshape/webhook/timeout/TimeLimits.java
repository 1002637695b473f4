package dev.shipshape.webhook.timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long a configuration may be on its way to its node.
 *
 * @param provisioning since its status last said so
 * @param noStatus since it was written, where its status says nothing yet
 */
public record TimeLimits(Duration provisioning, Duration noStatus) {
  /**
   * Decides whether the configuration took too long. It never did where its node is gone, not ready
   * or being deleted; the time before the node was ready does not count.
   *
   * @param now by the clock that the API server's times are of
   */
  Optional<TimedOut> judge(Attempt attempt, NodeState node, Instant now) {
    return switch (node) {
      case NodeState.Unfit ignored -> Optional.empty();
      case NodeState.Ready(var readySince) -> {
        var since = latest(attempt.since(), readySince);
        var replaced = attempt.replaced();
        var until = replaced != null && replaced.isBefore(now) ? replaced : now;
        var limit = attempt.begun() ? provisioning : noStatus;
        yield Duration.between(since, until).compareTo(limit) > 0
            ? Optional.of(new TimedOut(attempt, limit))
            : Optional.empty();
      }
    };
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
