package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.evidence.WaitingSessions;
import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.maintenance.Maintenance;
import dev.shipshape.janitor.operator.RestartGovernor.Decision;
import dev.shipshape.janitor.operator.RestartOutcome.Refused;
import dev.shipshape.janitor.pace.CancellationToken;
import dev.shipshape.janitor.prune.PruneReport;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done about a stuck operator: sessions are pruned, and it is restarted, where the governor
 * allows it. Sessions go first; and nothing is pruned out of turn where no restart may follow.
 */
final class Treatment {
  private static final Logger logger = LoggerFactory.getLogger(Treatment.class);

  /** A list of sessions is dear; one of this age still tells of sessions that wait for minutes. */
  private static final Duration FRESH = Duration.ofMinutes(1);

  /**
   * What came of it.
   *
   * @param findings the latest: pruning takes its time, and may be all that was needed
   */
  record Result(Findings findings, Optional<PruneReport> pruned, RestartOutcome restart) {}

  private final OperatorDeployment deployment;
  private final Maintenance maintenance;
  private final RestartGovernor governor;
  private final WaitingSessions sessions;
  private final @Nullable Duration requiredWait;
  private final PruneFirst pruneFirst;
  private final CancellationToken stop;
  private final InstantSource clock;

  /** How long a pruning confirms that the operator is stuck. */
  private final Duration confirmation;

  /** When the pruning that goes before a restart was done; null where none was. */
  private @Nullable Instant prunedAt;

  /**
   * @param confirmation how long after the pruning a watch that fails confirms a restart
   * @param requiredWait a session must have waited so long; null where none is required
   */
  Treatment(
      OperatorDeployment deployment,
      Maintenance maintenance,
      RestartGovernor governor,
      WaitingSessions sessions,
      @Nullable Duration requiredWait,
      PruneFirst pruneFirst,
      CancellationToken stop,
      Duration confirmation,
      InstantSource clock) {
    this.confirmation = confirmation;
    this.deployment = deployment;
    this.maintenance = maintenance;
    this.governor = governor;
    this.sessions = sessions;
    this.requiredWait = requiredWait;
    this.pruneFirst = pruneFirst;
    this.stop = stop;
    this.clock = clock;
  }

  /** Keeps on the Deployment what its last restart came to, for whoever leads later. */
  void remember(Standing standing, Aftermath aftermath) {
    var rollout = standing.rollout();
    if (rollout == null || rollout.restarts().isEmpty()) {
      return;
    }
    try {
      deployment.remember(rollout.restarts().getLast(), aftermath);
    } catch (ApiFailure e) {
      logger.warn("operator: what its restart came to is not remembered: {}", e.getMessage());
    }
  }

  /** Reads the Deployment and asks the governor. */
  Standing standing() {
    try {
      var block = maintenance.block();
      var rollout = deployment.read();
      return new Standing(rollout, governor.decide(rollout, block, clock.instant()));
    } catch (ApiFailure e) {
      return new Standing(
          null, new Decision.Refuse(Refusal.FAILED, String.valueOf(e.getMessage())));
    }
  }

  /**
   * Does what is needed.
   *
   * @param armed false to report only
   */
  Result treat(Findings findings, Standing standing, boolean armed) {
    if (findings.grounds().isEmpty()) {
      prunedAt = null;
      return new Result(findings, Optional.empty(), new RestartOutcome.NotNeeded());
    }
    logger.warn(
        "operator: {} is stuck: {}", deployment.reference(), findings.grounds().orElseThrow());
    var refusal = unarmed(armed, standing).or(() -> refusal(standing));
    if (refusal.isPresent()) {
      return refused(findings, Optional.empty(), refusal.get());
    }
    var since = prunedAt;
    if (since == null || since.isBefore(clock.instant().minus(confirmation))) {
      return prune(findings);
    }
    return findings.goesOnSince(since)
        ? restart(findings)
        : refused(
            findings,
            Optional.empty(),
            new Refused(
                Refusal.NOT_CONFIRMED,
                "no watch has failed since %s; judged again at the next check".formatted(since)));
  }

  /** Sessions go first; and what recovers meanwhile, or by itself, is not restarted. */
  private Result prune(Findings findings) {
    Optional<PruneReport> pruned;
    try {
      pruned = Optional.of(pruneFirst.run().get());
    } catch (RuntimeException e) {
      var why = reason(e);
      if (pruneFirst.armed()) {
        return refused(findings, Optional.empty(), pruneFailed(why));
      }
      logger.warn("operator: what would be pruned is unknown: {}", why);
      pruned = Optional.empty();
    }
    var stopped = pruned.flatMap(report -> report.plan().stop());
    if (pruneFirst.armed() && stopped.isPresent()) {
      return refused(findings, pruned, pruneFailed(stopped.get().message()));
    }
    prunedAt = clock.instant();
    return refused(
        findings,
        pruned,
        new Refused(
            Refusal.NOT_CONFIRMED, "sessions were pruned first; judged again at the next check"));
  }

  /** A fault of ours in the pruner must not hide that the operator is stuck. */
  private static String reason(RuntimeException e) {
    if (e instanceof KubernetesClientException failure) {
      return ApiErrors.reason(failure);
    }
    logger.error("operator: the pruning before its restart broke off", e);
    return "it broke off: " + e;
  }

  private Result restart(Findings findings) {
    var standing = standing();
    var rollout = standing.rollout();
    var refusal = refusal(standing).or(this::stopping);
    if (refusal.isPresent() || rollout == null) {
      return refused(findings, Optional.empty(), refusal.orElseThrow());
    }
    prunedAt = null;
    try {
      var restart = patch(rollout, findings.grounds().orElseThrow());
      return new Result(findings, Optional.empty(), restart);
    } catch (ApiFailure e) {
      // Whether it was done, the Deployment tells at the next check.
      var why = String.valueOf(e.getMessage());
      return refused(findings, Optional.empty(), new Refused(Refusal.FAILED, why));
    }
  }

  private RestartOutcome patch(Rollout rollout, String reason) {
    var now = clock.instant();
    var answer = deployment.restart(rollout, reason, now);
    if (answer.code() == 409) {
      return said(new Refused(Refusal.CHANGED, "it changed meanwhile; judged anew next time"));
    }
    if (!answer.isSuccessful()) {
      return said(
          new Refused(
              Refusal.FAILED,
              "the patch was answered %d: %s".formatted(answer.code(), answer.message())));
    }
    logger.warn("operator: restarted {}: {}", deployment.reference(), reason);
    return new RestartOutcome.Restarted(now.truncatedTo(ChronoUnit.SECONDS), reason);
  }

  private Optional<Refused> refusal(Standing standing) {
    return switch (standing.decision()) {
      case Decision.Refuse(Refusal reason, String detail) ->
          Optional.of(new Refused(reason, detail));
      case Decision.Restart _ -> noneWaiting();
    };
  }

  /** The log's signature without its symptom is no reason to restart, where that is asked for. */
  private Optional<Refused> noneWaiting() {
    if (requiredWait == null) {
      return Optional.empty();
    }
    try {
      var waiting = sessions.noOlderThan(FRESH);
      return waiting.isAtLeast(requiredWait)
          ? Optional.empty()
          : Optional.of(
              new Refused(
                  Refusal.NO_WAITING_SESSION,
                  "no session has waited %s for a Job; %d wait, the longest for %s"
                      .formatted(requiredWait, waiting.count(), waiting.longest())));
    } catch (KubernetesClientException e) {
      return Optional.of(
          new Refused(
              Refusal.NO_WAITING_SESSION,
              "whether a session waits is unknown: %s".formatted(e.getMessage())));
    }
  }

  /** Told before all else: whoever has not armed restarts need not wonder about a cooldown. */
  private Optional<Refused> unarmed(boolean armed, Standing standing) {
    if (armed) {
      return Optional.empty();
    }
    var besides = refusal(standing).map(Refused::detail).map("; besides: "::concat).orElse("");
    return Optional.of(
        new Refused(Refusal.NOT_ARMED, "restarts are not armed (restart.armed)" + besides));
  }

  private Optional<Refused> stopping() {
    return stop.isCancelled()
        ? Optional.of(new Refused(Refusal.STOPPING, "no longer ours to do"))
        : Optional.empty();
  }

  private static Refused pruneFailed(String message) {
    return new Refused(Refusal.PRUNE_FAILED, message);
  }

  private Result refused(Findings findings, Optional<PruneReport> pruned, Refused refused) {
    return new Result(findings, pruned, said(refused));
  }

  private Refused said(Refused refused) {
    logger.warn(
        "operator: {} is not restarted: {}: {}",
        deployment.reference(),
        refused.reason(),
        refused.detail());
    return refused;
  }
}
