package dev.shipshape.janitor.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whether the operator may be restarted now: decided from the Deployment, what the cluster
 * remembers of earlier restarts, and the time.
 *
 * @param cooldown the least time after a start of the operator; doubled with each restart of ours
 *     within a day
 * @param longestCooldown where the doubling ends
 * @param perHour the most restarts within an hour
 * @param perDay the most restarts within a day
 * @param clockTolerance how far the server's clock and ours may be apart
 */
public record RestartGovernor(
    Duration cooldown, Duration longestCooldown, int perHour, int perDay, Duration clockTolerance) {

  /** What was decided. */
  sealed interface Decision {
    /** It may be restarted. */
    record Restart() implements Decision {}

    /** It may not, and why, in one line. */
    record Refuse(Refusal reason, String detail) implements Decision {}
  }

  /**
   * Decides. All spans are elapsed time: a day is 24 hours, whatever a local clock does in it.
   *
   * @param block why maintenance that is known elsewhere forbids it; empty where it does not
   */
  Decision decide(Rollout rollout, Optional<String> block, Instant now) {
    var server = rollout.server();
    if (server == null || Duration.between(server, now).abs().compareTo(clockTolerance) > 0) {
      return refuse(
          Refusal.CLOCKS_APART,
          "the API server's clock says %s and this machine's %s".formatted(server, now));
    }
    if (rollout.maintenance()) {
      return refuse(
          Refusal.MAINTENANCE, "its annotation " + OperatorDeployment.MAINTENANCE + " is set");
    }
    if (block.isPresent()) {
      return refuse(Refusal.MAINTENANCE, block.get());
    }
    if (rollout.replicas() == 0) {
      return refuse(Refusal.NO_REPLICAS, "it is scaled to 0");
    }
    if (rollout.paused()) {
      return refuse(Refusal.PAUSED, "its rollout is paused");
    }
    return budget(rollout, now)
        .orElseGet(
            () ->
                rollout.inProgress()
                    ? refuse(Refusal.ROLLOUT_IN_PROGRESS, "a rollout is in progress")
                    : new Decision.Restart());
  }

  private Optional<Decision> budget(Rollout rollout, Instant now) {
    var today = since(rollout.restarts(), now.minus(Duration.ofDays(1)));
    if (today >= perDay) {
      return Optional.of(
          refuse(Refusal.DAILY_BUDGET, "restarted %d times within a day".formatted(today)));
    }
    var wait = cooldownAfter(today);
    var last = rollout.lastStart();
    if (last != null && now.isBefore(last.plus(wait))) {
      return Optional.of(
          refuse(
              Refusal.COOLDOWN,
              "last started at %s, cooldown %s, until %s".formatted(last, wait, last.plus(wait))));
    }
    var hourly = since(rollout.restarts(), now.minus(Duration.ofHours(1)));
    if (hourly >= perHour) {
      return Optional.of(
          refuse(Refusal.HOURLY_BUDGET, "restarted %d times within an hour".formatted(hourly)));
    }
    return Optional.empty();
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

  private static Decision refuse(Refusal reason, String detail) {
    return new Decision.Refuse(reason, detail);
  }
}
