package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.restart.RestartOutcome.Refused;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.InstantSource;
import java.util.Optional;
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

  /**
   * A monitor as the settings say.
   *
   * @param armed false to report only
   */
  public OperatorMonitor(
      OperatorSettings settings,
      boolean armed,
      KubernetesClient client,
      OperatorLog log,
      SessionStore store,
      AuditLog audit,
      PreRestartPrune prune,
      CancellationToken cancellation,
      InstantSource clock) {
    this.armed = armed;
    this.clock = clock;
    this.deployment =
        new OperatorDeployment(
            client, settings.namespace(), settings.deployment(), settings.container());
    var sessions = new WaitingSessions(store, clock);
    this.healthCheck =
        new OperatorHealthCheck(
            log,
            settings.threshold(),
            new LogStall(settings.silenceArmed(), settings.silenceAfter(), sessions),
            sessions,
            clock);
    this.verifier = new RolloutVerifier(settings.threshold().window());
    this.controller =
        new RestartController(
            settings,
            deployment,
            audit,
            PrometheusMaintenance.of(settings.maintenance()),
            sessions,
            prune,
            cancellation,
            clock);
  }

  /**
   * One check: reads the operator once, tells what an earlier restart came to, and prunes and
   * restarts where it is stuck and that is allowed.
   */
  public OperatorReport check() {
    // Before the server's clock is read: what comes between may take long.
    var now = clock.instant();
    OperatorSnapshot operator;
    try {
      operator = deployment.read();
    } catch (KubernetesClientException e) {
      return unreadable(ApiErrors.reason(e));
    }
    var health = healthCheck.evaluate(operator);
    var result = verifier.verify(operator, health.symptom(), clock.instant());
    var forbidden = controller.forbidden(operator, now);
    var restart = controller.treat(operator, health, armed, forbidden);
    result.ifPresent(found -> tell(operator, found));
    return new OperatorReport(
        health.diagnosis(),
        health.stall(),
        health.waiting(),
        restart,
        result,
        restart instanceof RestartOutcome.Restarted
            ? GovernorState.COOLING
            : GovernorState.of(forbidden.map(Refused::reason)));
  }

  private OperatorReport unreadable(String reason) {
    var health = healthCheck.unreadable(reason);
    return new OperatorReport(
        health.diagnosis(),
        health.stall(),
        health.waiting(),
        new RestartOutcome.NotNeeded(),
        Optional.empty(),
        GovernorState.UNKNOWN);
  }

  private void tell(OperatorSnapshot operator, RestartResult result) {
    if (result == RestartResult.CURED) {
      logger.info("operator: {}: the restart is complete and helped", operator);
    } else {
      logger.error("operator: {}: the restart ended as {}", operator, result);
    }
    if (armed) {
      try {
        deployment.remember(operator.restarts().getLast(), result);
      } catch (KubernetesClientException e) {
        logger.warn("operator: could not annotate how its restart ended: {}", ApiErrors.reason(e));
      }
    }
  }
}
