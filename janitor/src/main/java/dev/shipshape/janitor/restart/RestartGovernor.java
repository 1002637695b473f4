package dev.shipshape.janitor.restart;

import dev.shipshape.service.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether the operator may be restarted now, from its workload, the recorded restarts, the
 * time, and {@code restart} in docs/reference/settings.md.
 */
public record RestartGovernor(
    Duration cooldown, Duration longestCooldown, int perHour, int perDay, Duration clockTolerance) {

  /**
   * Returns why the operator must not be restarted now; empty if it may be. A day is 24 hours, also
   * at changes of daylight saving time.
   *
   * @param maintenance why maintenance forbids it, from another source than the label; may be empty
   */
  Optional<Refusal> forbids(OperatorSnapshot operator, Optional<String> maintenance, Instant now) {
    var server = operator.serverTime();
    if (Duration.between(server, now).abs().compareTo(clockTolerance) > 0) {
      return Refusal.of(
          RestartRefusal.CLOCKS_APART,
          "the API server's clock is at %s, this machine's at %s; correct the clocks"
              .formatted(server, now));
    }
    if (operator.isUnderMaintenance()) {
      return Refusal.of(
          RestartRefusal.MAINTENANCE, "its label " + OperatorAnnotations.MAINTENANCE + " is set");
    }
    if (maintenance.isPresent()) {
      return Refusal.of(RestartRefusal.MAINTENANCE, maintenance.get());
    }
    var rollout = operator.rollout();
    if (rollout.replicas() == 0) {
      return Refusal.of(RestartRefusal.NO_REPLICAS, "it has 0 replicas");
    }
    if (rollout.blockReason() != null) {
      return Refusal.of(RestartRefusal.PAUSED, rollout.blockReason());
    }
    return checkBudget(operator, now)
        .or(
            () ->
                rollout.isInProgress()
                    ? Refusal.of(RestartRefusal.ROLLOUT_IN_PROGRESS, "a rollout is in progress")
                    : Optional.empty());
  }

  private Optional<Refusal> checkBudget(OperatorSnapshot operator, Instant now) {
    var today = count(operator.restarts(), now.minus(Duration.ofDays(1)));
    if (today >= perDay) {
      var oldest = operator.restarts().get(operator.restarts().size() - perDay);
      return Refusal.of(
          RestartRefusal.DAILY_BUDGET,
          "restarted %d times within a day, until %s"
              .formatted(today, oldest.plus(Duration.ofDays(1))));
    }
    var wait = cooldownAfter(today);
    var last = operator.lastStart();
    if (last != null && now.isBefore(last.plus(wait))) {
      return Refusal.of(
          RestartRefusal.COOLDOWN,
          "last started at %s, cooldown %s, until %s"
              .formatted(last, Durations.format(wait), last.plus(wait)));
    }
    var hourly = count(operator.restarts(), now.minus(Duration.ofHours(1)));
    return hourly >= perHour
        ? Refusal.of(
            RestartRefusal.HOURLY_BUDGET, "restarted %d times within an hour".formatted(hourly))
        : Optional.empty();
  }

  /** Doubles the cooldown for each restart within a day after the first. */
  Duration cooldownAfter(int restarts) {
    var wait = cooldown;
    for (var i = 1; i < restarts && wait.compareTo(longestCooldown) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(longestCooldown) > 0 ? longestCooldown : wait;
  }

  private static int count(List<Instant> restarts, Instant since) {
    return (int) restarts.stream().filter(restart -> restart.isAfter(since)).count();
  }
}
