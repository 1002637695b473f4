package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.service.ApiErrors;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether the operator is stuck. If so, prunes its sessions and restarts it if the governor
 * allows it. Prunes before a restart, and only if a restart may follow.
 */
public final class OperatorMonitor {
  /**
   * The operator's health at one check.
   *
   * @param silence one line if it logs nothing although sessions wait
   * @param restartReason in one line; empty if a restart is not needed
   */
  record Health(Diagnosis diagnosis, Optional<String> silence, Optional<String> restartReason) {

    /** Checks whether the reason for a restart still exists after a time. */
    boolean persistsAfter(Instant time) {
      return diagnosis.kind() == Diagnosis.Kind.STUCK
          ? Objects.requireNonNull(diagnosis.time()).isAfter(time)
          : restartReason.isPresent();
    }
  }

  private static final Logger logger = LoggerFactory.getLogger(OperatorMonitor.class);
  private static final Duration LOG_TIMEOUT = Duration.ofSeconds(20);

  private final OperatorSettings settings;
  private final OperatorWorkload workload;
  private final PodLogs log;
  private final @Nullable SilenceDetector silenceDetector;
  private final RestartVerifier verifier;
  private final AuditLog audit;
  private final Supplier<Optional<String>> maintenance;

  /** A failure within this time after the pruning confirms that the pruning did not help. */
  private final Duration confirmationPeriod;

  private final Runnable prune;
  private final CancellationToken cancellation;
  private final InstantSource clock;

  /** The last logged reason why the operator cannot be watched. */
  private String loggedProblem = "";

  /** When sessions were pruned before the restart; null if they were not. */
  private @Nullable Instant prunedAt;

  /** Since when this leader has found it stuck. A check that cannot read the log keeps it. */
  private @Nullable Instant stuckSince;

  /** As last read, so that a check that cannot read them does not make others forget them. */
  private OperatorReport.@Nullable Restarts restarts;

  /**
   * @param prune prunes before a restart; throws on failure
   */
  public OperatorMonitor(
      OperatorSettings settings,
      RestartSettings shared,
      KubernetesClient client,
      Supplier<SessionList> sessions,
      AuditLog audit,
      Runnable prune,
      CancellationToken cancellation,
      InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    this.workload = new OperatorWorkload(client, settings.workload(), settings.container());
    this.log = new PodLogs(client, settings.container(), LOG_TIMEOUT);
    this.silenceDetector =
        settings.ownsSessions() ? new SilenceDetector(settings.silenceAfter(), sessions) : null;
    this.verifier =
        new RestartVerifier(
            settings.signature().window(), settings.cureWindow(shared.checkEvery()));
    this.audit = audit;
    this.maintenance = PrometheusMaintenance.of(shared);
    this.confirmationPeriod = settings.signature().window().plus(shared.checkEvery());
    this.prune = prune;
    this.cancellation = cancellation;
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

  /** Verifies an earlier restart, and restarts a stuck operator if allowed. */
  public synchronized OperatorReport check() {
    // Read before the server's clock: the calls after it may take long.
    var begin = clock.instant();
    OperatorSnapshot operator;
    try {
      operator = workload.read();
    } catch (KubernetesClientException e) {
      var reason = ApiErrors.reason(e);
      logOnce(reason);
      var health = health(List.of(InstanceHealth.unreadable(reason)), begin);
      return report(begin, health, RestartRefusal.FAILED, Optional.empty(), null, null);
    }
    restarts = OperatorReport.Restarts.of(operator);
    var health = evaluate(operator);
    var forbidden = settings.governor().forbids(operator, maintenance.get(), begin);
    var isApart =
        forbidden.filter(each -> each.reason() == RestartRefusal.CLOCKS_APART).isPresent();
    // By a wrong clock, it would be wrong for good. Without the right to restart, it could not be
    // recorded on the workload.
    var result =
        settings.armed() && !isApart
            ? verifier.verify(operator, health, clock.instant())
            : Optional.<RestartResult>empty();
    var reason = health.restartReason();
    var restartTime = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    var refused =
        reason.flatMap(
            restartReason ->
                restartIfAllowed(operator, health, restartReason, forbidden, begin, restartTime));
    var isRestarted = reason.isPresent() && refused.isEmpty();
    result.ifPresent(found -> recordResult(operator, found));
    return report(
        begin,
        health,
        isRestarted ? RestartRefusal.COOLDOWN : forbidden.map(Refusal::reason).orElse(null),
        refused,
        isRestarted ? restartTime : null,
        result.orElse(null));
  }

  private Health evaluate(OperatorSnapshot operator) {
    var now = clock.instant();
    var signature = settings.signature();
    var since = now.minus(signature.window());
    var instances = log.read(operator, since, () -> new LogScan(signature, since, now));
    logOnce(
        instances.stream()
            .map(InstanceHealth::diagnosis)
            .filter(diagnosis -> diagnosis.kind() == Diagnosis.Kind.UNREADABLE)
            .map(diagnosis -> "its log cannot be read: " + diagnosis.detail())
            .collect(Collectors.joining("; ")));
    return health(instances, now);
  }

  /** Logs a problem once while it lasts, and its end, by an empty text. */
  private void logOnce(String problem) {
    if (problem.equals(loggedProblem)) {
      return;
    }
    loggedProblem = problem;
    if (problem.isEmpty()) {
      logger.info("operator {}: its log can be read", settings.name());
    } else {
      logger.warn("operator {}: {}", settings.name(), problem);
    }
  }

  private Health health(List<InstanceHealth> instances, Instant now) {
    var diagnosis = Diagnosis.of(instances, settings.workload().kind() == Workload.Kind.DAEMONSET);
    var silence =
        silenceDetector == null
            ? Optional.<String>empty()
            : silenceDetector.evaluate(instances, now);
    var restartReason =
        diagnosis.kind() == Diagnosis.Kind.STUCK
            ? Optional.of(diagnosis.detail())
            : silence.filter(_ -> settings.silenceArmed());
    return new Health(diagnosis, silence, restartReason);
  }

  /** Returns why the operator was not restarted; empty if it was. */
  private Optional<Refusal> restartIfAllowed(
      OperatorSnapshot operator,
      Health health,
      String reason,
      Optional<Refusal> forbidden,
      Instant begin,
      Instant time) {
    var refused =
        checkRemedy()
            .or(() -> checkArmed(forbidden))
            .or(() -> forbidden)
            .or(() -> checkConfirmed(health, begin))
            .or(this::checkCancelled)
            .or(() -> restart(operator, reason, time));
    if (refused.isEmpty()) {
      prunedAt = null;
      logger
          .atWarn()
          .addKeyValue("operator", settings.name())
          .addKeyValue("object", settings.workload())
          .addKeyValue("reason", reason)
          .log("operator {}: restarted {}: {}", settings.name(), settings.workload(), reason);
    }
    return refused;
  }

  private Optional<Refusal> checkRemedy() {
    return settings.signature().remedy() == Signature.Remedy.REPORT
        ? Refusal.of(RestartRefusal.OTHER_REMEDY, settings.signature().advice())
        : Optional.empty();
  }

  /** Checked before the limits: while restarts are not armed, a cooldown is not the reason. */
  private Optional<Refusal> checkArmed(Optional<Refusal> forbidden) {
    var alsoForbidden = forbidden.map(Refusal::detail).map("; also: "::concat).orElse("");
    return settings.armed()
        ? Optional.empty()
        : Refusal.of(
            RestartRefusal.NOT_ARMED,
            "restarts are not armed (restart.armed, and armed of the operator)" + alsoForbidden);
  }

  /**
   * Prunes first, and requires a failure after that: the operator may have recovered.
   *
   * @param begin of the check: to read all logs may take longer than the period
   */
  private Optional<Refusal> checkConfirmed(Health health, Instant begin) {
    var since = prunedAt;
    if (since == null || since.isBefore(begin.minus(confirmationPeriod))) {
      return prune();
    }
    return health.persistsAfter(since)
        ? Optional.empty()
        : Refusal.of(
            RestartRefusal.NOT_CONFIRMED,
            "nothing has failed since %s; judged again at the next check".formatted(since));
  }

  private Optional<Refusal> prune() {
    try {
      if (settings.ownsSessions()) {
        prune.run();
      }
    } catch (KubernetesClientException e) {
      return Refusal.of(RestartRefusal.PRUNE_FAILED, ApiErrors.reason(e));
    } catch (RuntimeException e) {
      // A bug in the pruner must not hide that the operator is stuck.
      logger.error(
          "operator {}: the pruning before its restart failed unexpectedly", settings.name(), e);
      return Refusal.of(RestartRefusal.PRUNE_FAILED, "it failed unexpectedly: " + e);
    }
    prunedAt = clock.instant();
    return Refusal.of(
        RestartRefusal.NOT_CONFIRMED,
        settings.ownsSessions()
            ? "pruning comes first, if it is armed; judged again at the next check"
            : "judged again at the next check: it may recover by itself");
  }

  private Optional<Refusal> checkCancelled() {
    return cancellation.isCancelled()
        ? Refusal.of(RestartRefusal.STOPPING, "the janitor is stopping, or another replica leads")
        : Optional.empty();
  }

  private Optional<Refusal> restart(OperatorSnapshot operator, String reason, Instant time) {
    var name = settings.workload().toString();
    var uid = operator.object().getMetadata().getUid();
    audit.beginRestart(name, uid, reason);
    try {
      workload.restart(operator, reason, time);
      audit.endRestart(name, uid, "restarted", "");
      return Optional.empty();
    } catch (KubernetesClientException e) {
      var changed = e.getCode() == HttpURLConnection.HTTP_CONFLICT;
      // Without an answer, the restart may have happened; the next check reads it from the object.
      var isRefusal = e.getCode() >= 400 && e.getCode() < 500;
      var result = changed ? "changed" : isRefusal ? "failed" : "unknown";
      audit.endRestart(name, uid, result, ApiErrors.reason(e));
      return changed
          ? Refusal.of(
              RestartRefusal.CHANGED, "it changed meanwhile; judged again at the next check")
          : Refusal.of(RestartRefusal.FAILED, ApiErrors.reason(e));
    }
  }

  private OperatorReport report(
      Instant begin,
      Health health,
      @Nullable RestartRefusal governor,
      Optional<Refusal> refused,
      @Nullable Instant restartedAt,
      @Nullable RestartResult result) {
    var diagnosis = health.diagnosis();
    switch (diagnosis.kind()) {
      case STUCK -> stuckSince = stuckSince == null ? begin : stuckSince;
      case HEALTHY, RECOVERED, FAILING -> stuckSince = null;
      case UNREADABLE -> {}
    }
    return new OperatorReport(
        settings.name(),
        begin,
        settings.workload(),
        settings.signature().name(),
        diagnosis.kind(),
        diagnosis.detail(),
        stuckSince,
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
