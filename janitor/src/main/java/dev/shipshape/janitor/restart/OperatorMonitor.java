package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.session.SessionList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether the operator is stuck, and if so has it pruned and restarted. */
public final class OperatorMonitor {
  private static final Logger logger = LoggerFactory.getLogger(OperatorMonitor.class);

  private final OperatorSettings settings;
  private final OperatorWorkload workload;
  private final OperatorHealthCheck healthCheck;
  private final RolloutVerifier verifier;
  private final RestartController controller;
  private final InstantSource clock;

  /** What the last check of this term found, which one that cannot see leaves as it is. */
  private @Nullable Instant stuckSince;

  private @Nullable Instant stuckUntil;

  /**
   * A monitor as the settings say.
   *
   * @param prune prunes before a restart; throws if it cannot
   */
  public OperatorMonitor(
      OperatorSettings settings,
      RestartSettings shared,
      KubernetesClient client,
      OperatorLog log,
      Supplier<SessionList> sessions,
      AuditLog audit,
      Runnable prune,
      CancellationToken cancellation,
      InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    this.workload = new OperatorWorkload(client, settings.workload(), settings.container());
    var waiting = settings.ownsSessions() ? new WaitingSessions(sessions, clock) : null;
    this.healthCheck = new OperatorHealthCheck(settings, log, waiting, clock);
    this.verifier = new RolloutVerifier(settings.signature().window());
    this.controller =
        new RestartController(settings, shared, workload, audit, prune, cancellation, clock);
  }

  /** Forgets what was found before: while another replica led, nothing was seen. */
  public synchronized void beginTerm() {
    stuckSince = null;
  }

  /**
   * One check: reads the operator once, reports what an earlier restart came to, and prunes and
   * restarts if it is stuck and that is allowed.
   */
  public synchronized OperatorReport check() {
    // Before the server's clock is read: what comes between may take long.
    var now = clock.instant();
    if (!settings.problem().isEmpty()) {
      return unreadable(now, "its settings cannot be used: " + settings.problem());
    }
    OperatorSnapshot operator;
    try {
      operator = workload.read();
    } catch (KubernetesClientException e) {
      return unreadable(now, ApiErrors.reason(e));
    }
    var health = healthCheck.evaluate(operator);
    // One that only reports restarts nothing, and could not remember what it has reported.
    var result =
        settings.armed()
            ? verifier.verify(operator, health.symptom(), clock.instant())
            : Optional.<RestartResult>empty();
    var forbidden = controller.forbidden(operator, now);
    var reason = health.restartReason();
    var restartTime = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    var refused =
        reason.flatMap(
            why -> controller.restartIfAllowed(operator, health, why, forbidden, restartTime));
    var isRestarted = reason.isPresent() && refused.isEmpty();
    result.ifPresent(found -> remember(operator, found));
    return report(
        now,
        health,
        isRestarted ? RestartRefusal.COOLDOWN : forbidden.map(Refused::reason).orElse(null),
        refused,
        isRestarted ? restartTime : null,
        result.orElse(null),
        OperatorReport.Restarts.of(operator));
  }

  private OperatorReport unreadable(Instant now, String reason) {
    var health = healthCheck.unreadable(reason);
    return report(now, health, RestartRefusal.FAILED, Optional.empty(), null, null, null);
  }

  private OperatorReport report(
      Instant now,
      OperatorHealthCheck.Health health,
      @Nullable RestartRefusal governor,
      Optional<Refused> refused,
      @Nullable Instant restartedAt,
      @Nullable RestartResult result,
      OperatorReport.@Nullable Restarts restarts) {
    var diagnosis = health.diagnosis();
    switch (diagnosis.kind()) {
      case STUCK -> {
        stuckSince = stuckSince == null ? now : stuckSince;
        stuckUntil = now;
      }
      case HEALTHY, RECOVERED, FAILING -> stuckSince = null;
      case UNREADABLE -> {}
    }
    return new OperatorReport(
        settings.name(),
        now,
        settings.workload(),
        settings.signature().name(),
        diagnosis.kind(),
        diagnosis.detail(),
        stuckSince,
        stuckSince != null && diagnosis.kind() == Diagnosis.Kind.UNREADABLE ? stuckUntil : null,
        health.silence().orElse(null),
        governor,
        settings.armed(),
        health.restartReason().orElse(null),
        refused.map(Refused::reason).orElse(null),
        refused.map(Refused::detail).orElse(""),
        restartedAt,
        result,
        restarts);
  }

  private void remember(OperatorSnapshot operator, RestartResult result) {
    if (result == RestartResult.CURED) {
      logger.info("operator {}: the restart is complete and helped", settings.name());
    } else {
      logger.error("operator {}: the restart ended as {}", settings.name(), result);
    }
    try {
      workload.remember(operator.restarts().getLast(), result);
    } catch (KubernetesClientException e) {
      logger.warn(
          "operator {}: could not annotate how its restart ended: {}",
          settings.name(),
          ApiErrors.reason(e));
    }
  }
}
