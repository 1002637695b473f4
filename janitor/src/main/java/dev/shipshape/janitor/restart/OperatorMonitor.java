package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether the operator is stuck, and if so has it pruned and restarted. */
public final class OperatorMonitor {
  private static final Logger logger = LoggerFactory.getLogger(OperatorMonitor.class);

  private final boolean armed;
  private final OperatorDeployment deployment;
  private final OperatorHealthCheck healthCheck;
  private final RolloutVerifier verifier;
  private final RestartController controller;
  private final InstantSource clock;
  private final String name;

  /** What the last check of this term found, which one that cannot see leaves as it is. */
  private @Nullable Instant stuckSince;

  private @Nullable Instant stuckUntil;

  private @Nullable String silence;

  /**
   * A monitor as the settings say.
   *
   * @param armed false to report only
   * @param prune prunes before a restart; throws if it cannot
   */
  public OperatorMonitor(
      OperatorSettings settings,
      boolean armed,
      KubernetesClient client,
      OperatorLog log,
      SessionStore store,
      AuditLog audit,
      Runnable prune,
      CancellationToken cancellation,
      InstantSource clock) {
    this.armed = armed;
    this.clock = clock;
    this.name = settings.namespace() + "/" + settings.deployment();
    this.deployment =
        new OperatorDeployment(
            client, settings.namespace(), settings.deployment(), settings.container());
    var sessions = new WaitingSessions(store, clock);
    this.healthCheck =
        new OperatorHealthCheck(
            log,
            settings.signature(),
            new LogStall(settings.silenceArmed(), settings.silenceAfter(), sessions),
            sessions,
            clock);
    this.verifier = new RolloutVerifier(settings.signature().window());
    this.controller =
        new RestartController(
            settings,
            armed,
            deployment,
            audit,
            PrometheusMaintenance.of(settings.maintenance()),
            sessions,
            prune,
            cancellation,
            clock);
  }

  /** Forgets what was found before: while another replica led, nothing was seen. */
  public void beginTerm() {
    stuckSince = null;
    silence = null;
  }

  /**
   * One check: reads the operator once, reports what an earlier restart came to, and prunes and
   * restarts if it is stuck and that is allowed.
   */
  public OperatorReport check() {
    // Before the server's clock is read: what comes between may take long.
    var now = clock.instant();
    OperatorSnapshot operator;
    try {
      operator = deployment.read();
    } catch (KubernetesClientException e) {
      var health = healthCheck.unreadable(ApiErrors.reason(e));
      return report(now, health, GovernorState.UNKNOWN, Optional.empty(), null, null, null);
    }
    var health = healthCheck.evaluate(operator);
    // One that only reports restarts nothing, and could not remember what it has reported.
    var result =
        armed
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
        isRestarted
            ? GovernorState.COOLING
            : GovernorState.of(forbidden.map(Refused::reason).orElse(null)),
        refused,
        isRestarted ? restartTime : null,
        result.orElse(null),
        OperatorReport.Restarts.of(operator));
  }

  private OperatorReport report(
      Instant now,
      OperatorHealthCheck.Health health,
      GovernorState governor,
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
    switch (health.silence()) {
      case SignalState.Present(String detail) -> silence = detail;
      case SignalState.Absent _ -> silence = null;
      case SignalState.Unknown _ -> {}
    }
    return new OperatorReport(
        now,
        name,
        diagnosis.kind(),
        diagnosis.detail(),
        stuckSince,
        stuckSince != null && diagnosis.kind() == Diagnosis.Kind.UNREADABLE ? stuckUntil : null,
        silence,
        health.waiting().orElse(null),
        governor,
        armed,
        health.restartReason().orElse(null),
        refused.map(Refused::reason).orElse(null),
        refused.map(Refused::detail).orElse(""),
        restartedAt,
        result,
        restarts);
  }

  private void remember(OperatorSnapshot operator, RestartResult result) {
    if (result == RestartResult.CURED) {
      logger.info("operator: {}: the restart is complete and helped", operator);
    } else {
      logger.error("operator: {}: the restart ended as {}", operator, result);
    }
    try {
      deployment.remember(operator.restarts().getLast(), result);
    } catch (KubernetesClientException e) {
      logger.warn("operator: could not annotate how its restart ended: {}", ApiErrors.reason(e));
    }
  }
}
