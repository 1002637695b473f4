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
 * What is done about a stuck operator: sessions are pruned, and it is restarted, where the governor
 * allows it. Sessions go first; and nothing is pruned out of turn where no restart may follow.
 */
final class RestartController {
  private static final Logger logger = LoggerFactory.getLogger(RestartController.class);

  private final OperatorSettings settings;
  private final OperatorWorkload workload;
  private final AuditLog audit;
  private final Supplier<Optional<String>> maintenance;

  /** For so long after the pruning a failure confirms that it did not help. */
  private final Duration confirmation;

  private final Runnable prune;
  private final CancellationToken cancellation;
  private final InstantSource clock;

  /** When it was found stuck first, after the pruning that goes before a restart; null for not. */
  private @Nullable Instant prunedAt;

  /**
   * @param prune prunes before a restart; throws if it cannot
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
    this.confirmation = settings.signature().window().plus(shared.checkEvery());
    this.prune = prune;
    this.cancellation = cancellation;
    this.clock = clock;
  }

  /**
   * Why the operator may not be restarted; empty where it may.
   *
   * @param now when it was read, by our clock
   */
  Optional<Refused> forbidden(OperatorSnapshot operator, Instant now) {
    return settings.governor().forbids(operator, maintenance.get(), now);
  }

  /**
   * Restarts a stuck operator, unless something forbids it.
   *
   * @param forbidden as {@link #forbidden} says of this operator
   * @param now the time that its pods are to bear
   * @return why it was not restarted; empty if it was
   */
  Optional<Refused> restartIfAllowed(
      OperatorSnapshot operator,
      OperatorHealthCheck.Health health,
      String reason,
      Optional<Refused> forbidden,
      Instant now) {
    var refused =
        otherRemedy()
            .or(() -> notArmed(forbidden))
            .or(() -> forbidden)
            .or(() -> notConfirmed(health))
            .or(this::stopping)
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

  private Optional<Refused> otherRemedy() {
    return settings.signature().remedy() == Signature.Remedy.TELL
        ? refused(RestartRefusal.OTHER_REMEDY, settings.signature().advice())
        : Optional.empty();
  }

  /** Told before all else: whoever has not armed restarts need not wonder about a cooldown. */
  private Optional<Refused> notArmed(Optional<Refused> forbidden) {
    var besides = forbidden.map(Refused::detail).map("; besides: "::concat).orElse("");
    return settings.armed()
        ? Optional.empty()
        : refused(
            RestartRefusal.NOT_ARMED,
            "restarts are not armed (restart.armed, and armed of the operator)" + besides);
  }

  /** Sessions go first; and what recovers meanwhile, or by itself, is not restarted. */
  private Optional<Refused> notConfirmed(OperatorHealthCheck.Health health) {
    var since = prunedAt;
    if (since == null || since.isBefore(clock.instant().minus(confirmation))) {
      return prune();
    }
    return health.goesOnSince(since)
        ? Optional.empty()
        : refused(
            RestartRefusal.NOT_CONFIRMED,
            "nothing has failed since %s; judged again at the next check".formatted(since));
  }

  private Optional<Refused> prune() {
    try {
      if (settings.ownsSessions()) {
        prune.run();
      }
    } catch (KubernetesClientException e) {
      return refused(RestartRefusal.PRUNE_FAILED, ApiErrors.reason(e));
    } catch (RuntimeException e) {
      // A fault of ours in the pruner must not hide that the operator is stuck.
      logger.error(
          "operator {}: the pruning before its restart failed unexpectedly", settings.name(), e);
      return refused(RestartRefusal.PRUNE_FAILED, "it failed unexpectedly: " + e);
    }
    prunedAt = clock.instant();
    return refused(
        RestartRefusal.NOT_CONFIRMED,
        settings.ownsSessions()
            ? "sessions were pruned first; judged again at the next check"
            : "judged again at the next check: it may recover by itself");
  }

  private Optional<Refused> stopping() {
    return cancellation.isCancelled()
        ? refused(RestartRefusal.STOPPING, "the janitor is stopping, or another replica leads")
        : Optional.empty();
  }

  private Optional<Refused> restart(OperatorSnapshot operator, String reason, Instant now) {
    var uid = operator.object().getMetadata().getUid();
    audit.beginRestart(operator.toString(), uid, reason);
    try {
      workload.restart(operator, reason, now);
      audit.endRestart(operator.toString(), uid, "restarted", "");
      return Optional.empty();
    } catch (KubernetesClientException e) {
      var changed = e.getCode() == HttpURLConnection.HTTP_CONFLICT;
      // Whether one without an answer was carried out, the object tells at the next check.
      var isRefusal = e.getCode() >= 400 && e.getCode() < 500;
      var result = changed ? "changed" : isRefusal ? "failed" : "unknown";
      audit.endRestart(operator.toString(), uid, result, ApiErrors.reason(e));
      return changed
          ? refused(RestartRefusal.CHANGED, "it changed meanwhile; judged again at the next check")
          : refused(RestartRefusal.FAILED, ApiErrors.reason(e));
    }
  }

  private static Optional<Refused> refused(RestartRefusal reason, String detail) {
    return Optional.of(new Refused(reason, detail));
  }
}
