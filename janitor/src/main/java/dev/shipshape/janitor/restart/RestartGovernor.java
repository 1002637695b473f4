package dev.shipshape.janitor.restart;

import dev.shipshape.service.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whether the operator may be restarted now: decided from the Deployment, what the cluster
 * remembers of earlier restarts, the time, and {@code restart} in docs/reference/settings.md.
 */
public record RestartGovernor(
    Duration cooldown, Duration longestCooldown, int perHour, int perDay, Duration clockTolerance) {

  /**
   * Why the operator may not be restarted now; empty where it may. All spans are elapsed time: a
   * day is 24 hours, whatever a local clock does in it.
   *
   * @param maintenance why maintenance that is known elsewhere forbids it; empty where it does not
   */
  Optional<Refused> forbids(OperatorSnapshot operator, Optional<String> maintenance, Instant now) {
    var server = operator.serverTime();
    if (Duration.between(server, now).abs().compareTo(clockTolerance) > 0) {
      return refused(
          RestartRefusal.CLOCKS_APART,
          "the API server's clock says %s and this machine's %s".formatted(server, now));
    }
    if (operator.isUnderMaintenance()) {
      return refused(
          RestartRefusal.MAINTENANCE, "its label " + OperatorAnnotations.MAINTENANCE + " is set");
    }
    if (maintenance.isPresent()) {
      return refused(RestartRefusal.MAINTENANCE, maintenance.get());
    }
    var rollout = operator.rollout();
    if (rollout.replicas() == 0) {
      return refused(RestartRefusal.NO_REPLICAS, "it is to have no pods");
    }
    if (rollout.stopped() != null) {
      return refused(RestartRefusal.PAUSED, rollout.stopped());
    }
    return budget(operator, now)
        .or(
            () ->
                rollout.isInProgress()
                    ? refused(RestartRefusal.ROLLOUT_IN_PROGRESS, "a rollout is in progress")
                    : Optional.empty());
  }

  private Optional<Refused> budget(OperatorSnapshot operator, Instant now) {
    var today = since(operator.restarts(), now.minus(Duration.ofDays(1)));
    if (today >= perDay) {
      return refused(
          RestartRefusal.DAILY_BUDGET, "restarted %d times within a day".formatted(today));
    }
    var wait = cooldownAfter(today);
    var last = operator.lastStart();
    if (last != null && now.isBefore(last.plus(wait))) {
      return refused(
          RestartRefusal.COOLDOWN,
          "last started at %s, cooldown %s, until %s"
              .formatted(last, Durations.format(wait), last.plus(wait)));
    }
    var hourly = since(operator.restarts(), now.minus(Duration.ofHours(1)));
    return hourly >= perHour
        ? refused(
            RestartRefusal.HOURLY_BUDGET, "restarted %d times within an hour".formatted(hourly))
        : Optional.empty();
  }

  /** The cooldown after so many restarts within a day. */
  Duration cooldownAfter(int restarts) {
    var wait = cooldown;
    for (var i = 1; i < restarts && wait.compareTo(longestCooldown) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(longestCooldown) > 0 ? longestCooldown : wait;
  }

  private static int since(List<Instant> restarts, Instant begin) {
    return (int) restarts.stream().filter(restart -> restart.isAfter(begin)).count();
  }

  private static Optional<Refused> refused(RestartRefusal reason, String detail) {
    return Optional.of(new Refused(reason, detail));
  }
}
