package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prunes the sessions of a stuck operator, and restarts it if the governor allows it. Prunes before
 * a restart, and only if a restart may follow.
 */
final class RestartController {
  private static final Logger logger = LoggerFactory.getLogger(RestartController.class);

  private final OperatorSettings settings;
  private final OperatorWorkload workload;
  private final AuditLog audit;
  private final Supplier<Optional<String>> maintenance;

  /** A failure within this time after the pruning confirms that the pruning did not help. */
  private final Duration confirmationPeriod;

  private final Runnable prune;
  private final CancellationToken cancellation;
  private final InstantSource clock;

  /** When sessions were pruned before the restart; null if they were not. */
  private @Nullable Instant prunedAt;

  /**
   * @param prune prunes before a restart; throws on failure
   */
  RestartController(
      OperatorSettings settings,
      RestartSettings shared,
      OperatorWorkload workload,
      AuditLog audit,
      Runnable prune,
      CancellationToken cancellation,
      InstantSource clock) {
    this.settings = settings;
    this.workload = workload;
    this.audit = audit;
    this.maintenance = PrometheusMaintenance.of(shared);
    this.confirmationPeriod = settings.signature().window().plus(shared.checkEvery());
    this.prune = prune;
    this.cancellation = cancellation;
    this.clock = clock;
  }

  /**
   * Returns why the operator must not be restarted; empty if it may be.
   *
   * @param now when it was read, by the local clock
   */
  Optional<Refusal> forbids(OperatorSnapshot operator, Instant now) {
    return settings.governor().forbids(operator, maintenance.get(), now);
  }

  /**
   * Restarts a stuck operator, unless something forbids it.
   *
   * @param forbidden the result of {@link #forbids}
   * @param now the restart time to write
   * @return why it was not restarted; empty if it was
   */
  Optional<Refusal> restartIfAllowed(
      OperatorSnapshot operator,
      OperatorHealthCheck.Health health,
      String reason,
      Optional<Refusal> forbidden,
      Instant now) {
    var refused =
        checkRemedy()
            .or(() -> checkArmed(forbidden))
            .or(() -> forbidden)
            .or(() -> checkConfirmed(health))
            .or(this::checkCancelled)
            .or(() -> restart(operator, reason, now));
    if (refused.isEmpty()) {
      prunedAt = null;
      logger
          .atWarn()
          .addKeyValue("operator", settings.name())
          .addKeyValue("object", operator)
          .addKeyValue("reason", reason)
          .log("operator {}: restarted {}: {}", settings.name(), operator, reason);
    }
    return refused;
  }

  private Optional<Refusal> checkRemedy() {
    return settings.signature().remedy() == Signature.Remedy.REPORT
        ? refuse(RestartRefusal.OTHER_REMEDY, settings.signature().advice())
        : Optional.empty();
  }

  /** Checked before the limits: while restarts are not armed, a cooldown is not the reason. */
  private Optional<Refusal> checkArmed(Optional<Refusal> forbidden) {
    var alsoForbidden = forbidden.map(Refusal::detail).map("; also: "::concat).orElse("");
    return settings.armed()
        ? Optional.empty()
        : refuse(
            RestartRefusal.NOT_ARMED,
            "restarts are not armed (restart.armed, and armed of the operator)" + alsoForbidden);
  }

  /** Prunes first, and requires a failure after that: the operator may have recovered. */
  private Optional<Refusal> checkConfirmed(OperatorHealthCheck.Health health) {
    var since = prunedAt;
    if (since == null || since.isBefore(clock.instant().minus(confirmationPeriod))) {
      return prune();
    }
    return health.persistsAfter(since)
        ? Optional.empty()
        : refuse(
            RestartRefusal.NOT_CONFIRMED,
            "nothing has failed since %s; judged again at the next check".formatted(since));
  }

  private Optional<Refusal> prune() {
    try {
      if (settings.ownsSessions()) {
        prune.run();
      }
    } catch (KubernetesClientException e) {
      return refuse(RestartRefusal.PRUNE_FAILED, ApiErrors.reason(e));
    } catch (RuntimeException e) {
      // A bug in the pruner must not hide that the operator is stuck.
      logger.error(
          "operator {}: the pruning before its restart failed unexpectedly", settings.name(), e);
      return refuse(RestartRefusal.PRUNE_FAILED, "it failed unexpectedly: " + e);
    }
    prunedAt = clock.instant();
    return refuse(
        RestartRefusal.NOT_CONFIRMED,
        settings.ownsSessions()
            ? "sessions were pruned first; judged again at the next check"
            : "judged again at the next check: it may recover by itself");
  }

  private Optional<Refusal> checkCancelled() {
    return cancellation.isCancelled()
        ? refuse(RestartRefusal.STOPPING, "the janitor is stopping, or another replica leads")
        : Optional.empty();
  }

  private Optional<Refusal> restart(OperatorSnapshot operator, String reason, Instant now) {
    var uid = operator.object().getMetadata().getUid();
    audit.beginRestart(operator.toString(), uid, reason);
    try {
      workload.restart(operator, reason, now);
      audit.endRestart(operator.toString(), uid, "restarted", "");
      return Optional.empty();
    } catch (KubernetesClientException e) {
      var changed = e.getCode() == HttpURLConnection.HTTP_CONFLICT;
      // Without an answer, the restart may have happened; the next check reads it from the object.
      var isRefusal = e.getCode() >= 400 && e.getCode() < 500;
      var result = changed ? "changed" : isRefusal ? "failed" : "unknown";
      audit.endRestart(operator.toString(), uid, result, ApiErrors.reason(e));
      return changed
          ? refuse(RestartRefusal.CHANGED, "it changed meanwhile; judged again at the next check")
          : refuse(RestartRefusal.FAILED, ApiErrors.reason(e));
    }
  }

  private static Optional<Refusal> refuse(RestartRefusal reason, String detail) {
    return Optional.of(new Refusal(reason, detail));
  }
}
