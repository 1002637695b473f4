package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.OperatorMonitor;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.OperatorSettings;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.PeriodicTask;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs the pruner on its schedule and checks the operators at a fixed interval, both only while
 * this replica leads. Failures are logged and never end the process.
 */
public final class Janitor implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Janitor.class);

  /** The Lease of the leader election. */
  public static final String LEASE = "shipshape-janitor";

  private final JanitorMetrics metrics;
  private final Leadership leadership;
  private final CancellationToken cancellation;
  private final Reporter reporter;
  private final PruneJob pruning;
  private final Map<String, Operator> operators = new LinkedHashMap<>();
  private final List<Runnable> stops = new ArrayList<>();
  private Optional<Instant> termStart = Optional.empty();

  private record Operator(OperatorMonitor monitor, OperatorReporter reporter) {}

  private Janitor(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Consumer<String> auditLines) {
    var namespace = ApiConnection.namespace(client);
    this.leadership = new Leadership(client, namespace, LEASE);
    this.metrics = new JanitorMetrics(registry, leadership::since);
    this.cancellation = new CancellationToken(leadership::isLeader);
    var initial =
        new JanitorStatus(settings.prune().armed(), settings.restartArmed(), null, null, List.of());
    var status = new StatusPublisher(client, namespace, initial, leadership::isLeader);
    Function<OperatorSettings, EventWriter> events =
        operator -> new EventWriter(client, operator.workload(), clock);
    var sessionEvents =
        settings.operators().stream()
            .filter(OperatorSettings::ownsSessions)
            .findFirst()
            .map(events)
            .orElse(null);
    this.reporter = new Reporter(metrics, sessionEvents, status, clock);
    var audit = new AuditLog(auditLines, clock);
    var sessions = settings.sessions(client);
    this.pruning =
        new PruneJob(
            settings.prune(),
            settings.pruner(
                client, sessions, settings.prune().archive(), clock, audit, cancellation),
            reporter,
            metrics,
            cancellation,
            clock);
    for (var operator : settings.operators()) {
      var name = operator.name();
      metrics.register(name);
      operators.put(
          name,
          new Operator(
              new OperatorMonitor(
                  operator,
                  settings.restart(),
                  client,
                  sessions,
                  audit,
                  pruning::runBeforeRestart,
                  cancellation,
                  clock),
              new OperatorReporter(name, metrics, events.apply(operator), status)));
    }
    metrics.registerSettings(true, settings.prune().armed(), settings.restartArmed());
    metrics.registerDue(after -> settings.prune().schedule().next(1, after).stream().findFirst());
  }

  /**
   * Starts the scheduler, the checks and the leader election, and returns at once.
   *
   * @param auditLines writes and flushes an audit line before it returns
   */
  public static Janitor start(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Consumer<String> auditLines) {
    var janitor = new Janitor(settings, client, clock, registry, auditLines);
    janitor.stops.add(
        PruneScheduler.start(settings.prune().schedule(), janitor::scheduledPrune)::close);
    for (var name : janitor.operators.keySet()) {
      janitor.stops.add(
          PeriodicTask.start(
                  "check of " + name,
                  settings.restart().checkEvery(),
                  () -> janitor.scheduledCheck(name))
              ::close);
    }
    if (janitor.operators.isEmpty()) {
      // Else the first check begins a term; a run may be hours away.
      var every = settings.restart().checkEvery();
      janitor.stops.add(PeriodicTask.start("status", every, janitor::beginTermIfNew)::close);
    }
    // Last: a janitor that could not start must not hold the Lease.
    janitor.leadership.start();
    logger.info(
        "janitor: pruning {}, restarts {}; operators {}; next runs {}",
        armed(settings.prune().armed()),
        armed(settings.restartArmed()),
        janitor.operators.keySet(),
        settings.prune().schedule().next(5, clock.instant()));
    return janitor;
  }

  /**
   * Reports by log and metric why the janitor cannot run, and returns. The caller must not end the
   * process: the janitor is a sidecar, and its end would take the webhook out of service.
   *
   * @param problems one line each
   */
  public static void idle(List<String> problems, MeterRegistry registry) {
    var metrics = new JanitorMetrics(registry, Optional::empty);
    metrics.registerSettings(false, false, false);
    metrics.registerDue(_ -> Optional.empty());
    problems.forEach(problem -> logger.error("janitor: idle: {}", problem));
  }

  boolean isLeader() {
    return leadership.isLeader();
  }

  /**
   * Runs the pruner now. It deletes only if armed and while this replica leads.
   *
   * @throws KubernetesClientException if the sessions cannot be listed; nothing was deleted then
   */
  RunReport prune() {
    beginTermIfNew();
    return pruning.run();
  }

  /** Checks an operator now. Restarts it only if armed. */
  OperatorReport checkOperator(String name) {
    var operator = Objects.requireNonNull(operators.get(name), name);
    try {
      // A part of the check: if the term cannot begin, the check has failed.
      beginTermIfNew();
      var report = operator.monitor.check();
      operator.reporter.report(report);
      return report;
    } catch (RuntimeException | OutOfMemoryError e) {
      operator.reporter.reportFailedCheck();
      throw e;
    }
  }

  /** Stops running work after its current object, and releases the Lease. */
  @Override
  public void close() {
    cancellation.cancel();
    // Together: each waits for its current run.
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      stops.forEach(threads::execute);
    }
    pruning.close();
    leadership.close();
  }

  private synchronized void beginTermIfNew() {
    var since = leadership.since();
    if (since.isPresent() && !since.equals(termStart)) {
      // What earlier leaders have published: to begin without it would erase it.
      var earlier = reporter.beginTerm(operators.isEmpty());
      for (var operator : operators.values()) {
        operator.monitor.beginTerm(earlier);
        operator.reporter.beginTerm();
      }
      termStart = since;
      pruning.recordStatsAsync();
    }
  }

  private void scheduledPrune() {
    if (cancellation.isCancelled()) {
      return;
    }
    try {
      beginTermIfNew();
      pruning.runScheduled();
    } catch (KubernetesClientException e) {
      logger
          .atLevel(cancellation.isCancelled() ? Level.INFO : Level.ERROR)
          .log("prune: {}; will try again", ApiErrors.reason(e));
    } catch (RuntimeException | OutOfMemoryError e) {
      // Also OutOfMemoryError: the task's memory is free again; an exit would restart the pod.
      logger.error("prune failed unexpectedly; will try again", e);
    }
    // The listed sessions are garbage now, but an idle collector would not return the heap.
    System.gc();
  }

  /** Throws for PeriodicTask, which logs each failure once an hour. */
  private void scheduledCheck(String name) {
    if (!cancellation.isCancelled()) {
      try {
        var _ = checkOperator(name);
      } catch (KubernetesClientException e) {
        if (!cancellation.isCancelled()) {
          throw new IllegalStateException(ApiErrors.reason(e), e);
        }
      } catch (IllegalStateException e) {
        // A bug, to be logged with its place.
        throw new RuntimeException(e);
      }
    }
  }

  private static String armed(boolean armed) {
    return armed ? "armed" : "report-only";
  }
}
