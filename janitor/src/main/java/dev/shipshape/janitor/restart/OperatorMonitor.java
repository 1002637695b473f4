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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether the operator is stuck, and if so prunes and restarts it. */
public final class OperatorMonitor {
  private static final Logger logger = LoggerFactory.getLogger(OperatorMonitor.class);

  private final OperatorSettings settings;
  private final OperatorWorkload workload;
  private final OperatorHealthCheck healthCheck;
  private final RolloutVerifier verifier;
  private final RestartController controller;
  private final InstantSource clock;

  /** Since when this leader has found it stuck. A check that cannot read the log keeps it. */
  private @Nullable Instant stuckSince;

  private @Nullable Instant stuckUntil;

  /** As last read, so that a check that cannot read them does not make others forget them. */
  private OperatorReport.@Nullable Restarts restarts;

  /**
   * @param prune prunes before a restart; throws on failure
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

  /**
   * Resets the state after this replica became the leader: before, it did not check.
   *
   * @param earlier what the leader before has published, which remembers restarts of a workload
   *     whose annotations are reverted
   */
  public synchronized void beginTerm(List<OperatorReport> earlier) {
    stuckSince = null;
    earlier.stream()
        .filter(each -> each.operator().equals(settings.name()))
        .filter(each -> each.workload().equals(settings.workload()))
        .forEach(
            each -> {
              workload.remember(each);
              restarts = each.restarts();
            });
  }

  /**
   * Checks the operator once: verifies an earlier restart, and restarts a stuck operator if
   * allowed.
   */
  public synchronized OperatorReport check() {
    // Read before the server's clock: the calls after it may take long.
    var now = clock.instant();
    OperatorSnapshot operator;
    try {
      operator = workload.read();
    } catch (KubernetesClientException e) {
      var health = healthCheck.unreadable(ApiErrors.reason(e));
      return report(now, health, RestartRefusal.FAILED, Optional.empty(), null, null);
    }
    restarts = OperatorReport.Restarts.of(operator);
    var health = healthCheck.evaluate(operator);
    // Without the right to restart, the result could not be recorded on the workload.
    var result =
        settings.armed()
            ? verifier.verify(operator, health.symptom(), clock.instant())
            : Optional.<RestartResult>empty();
    var forbidden = controller.forbids(operator, now);
    var reason = health.restartReason();
    var restartTime = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    var refused =
        reason.flatMap(
            restartReason ->
                controller.restartIfAllowed(
                    operator, health, restartReason, forbidden, restartTime));
    var isRestarted = reason.isPresent() && refused.isEmpty();
    result.ifPresent(found -> recordResult(operator, found));
    return report(
        now,
        health,
        isRestarted ? RestartRefusal.COOLDOWN : forbidden.map(Refusal::reason).orElse(null),
        refused,
        isRestarted ? restartTime : null,
        result.orElse(null));
  }

  private OperatorReport report(
      Instant now,
      OperatorHealthCheck.Health health,
      @Nullable RestartRefusal governor,
      Optional<Refusal> refused,
      @Nullable Instant restartedAt,
      @Nullable RestartResult result) {
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
        refused.map(Refusal::reason).orElse(null),
        refused.map(Refusal::detail).orElse(""),
        restartedAt,
        result,
        restarts);
  }

  private void recordResult(OperatorSnapshot operator, RestartResult result) {
    if (result == RestartResult.CURED) {
      logger.info("operator {}: the restart is complete and helped", settings.name());
    } else {
      logger.error("operator {}: the result of the restart is {}", settings.name(), result);
    }
    try {
      workload.recordResult(operator.restarts().getLast(), result);
    } catch (KubernetesClientException e) {
      logger.warn(
          "operator {}: could not annotate the result of its restart: {}",
          settings.name(),
          ApiErrors.reason(e));
    }
  }
}
