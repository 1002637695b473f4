package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.OperatorLog;
import dev.shipshape.janitor.restart.OperatorMonitor;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.OperatorSettings;
import dev.shipshape.service.Leadership;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The janitor at work: prunes by its schedule, looks after the operators every few seconds, and
 * does both only while its replica leads. Nothing that goes wrong in it ends the process: it says
 * what is wrong and stays idle.
 */
public final class Janitor implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Janitor.class);

  /** The Lease by which the replicas elect the one that acts. */
  public static final String LEASE = "shipshape-janitor";

  private final JanitorMetrics metrics;
  private final Leadership leadership;
  private final CancellationToken cancellation;
  private final Reporter reporter;
  private final PruneJob pruning;
  private final Map<String, Operator> operators = new LinkedHashMap<>();
  private Optional<Instant> term = Optional.empty();
  private volatile @Nullable PruneScheduler scheduler;

  /** An operator that is looked after. */
  private record Operator(OperatorMonitor monitor, OperatorReporter reporter) {
    OperatorReport check() {
      try {
        var report = monitor.check();
        reporter.checked(report);
        return report;
      } catch (RuntimeException | OutOfMemoryError e) {
        reporter.checkFailed();
        throw e;
      }
    }

    void beginTerm() {
      monitor.beginTerm();
      reporter.beginTerm();
    }
  }

  private Janitor(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Consumer<String> records,
      Function<OperatorSettings, OperatorLog> logs) {
    var namespace = leaseNamespace(settings, client);
    this.leadership = new Leadership(client, namespace, LEASE);
    this.metrics = new JanitorMetrics(registry, leadership::since);
    this.cancellation = new CancellationToken(leadership::isLeader);
    var nothing =
        new JanitorStatus(settings.prune().armed(), settings.restartArmed(), null, null, List.of());
    var status = new StatusPublisher(client, namespace, nothing, leadership::isLeader);
    var events = new HashMap<String, EventWriter>();
    for (var operator : settings.operators()) {
      events.put(operator.name(), new EventWriter(client, operator.workload(), host(), clock));
    }
    var ofSessions =
        settings.operators().stream()
            .filter(OperatorSettings::ownsSessions)
            .findFirst()
            .map(operator -> events.get(operator.name()))
            .orElse(null);
    this.reporter = new Reporter(metrics, ofSessions, status, clock);
    var audit = new AuditLog(records, clock);
    var sessions = settings.sessions(client);
    this.pruning =
        new PruneJob(
            settings.prune(),
            settings.pruner(client, sessions, clock, audit, cancellation),
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
                  logs.apply(operator),
                  sessions,
                  audit,
                  pruning::beforeRestart,
                  cancellation,
                  clock),
              new OperatorReporter(
                  name, metrics, Objects.requireNonNull(events.get(name)), status)));
    }
    metrics.settings(true, settings.prune().armed(), settings.restartArmed());
    metrics.due(after -> settings.prune().schedule().next(1, after).stream().findFirst());
  }

  /**
   * Starts the janitor and returns at once; it stands for election and then works by its times.
   *
   * @param records writes and flushes an audit line before it returns
   */
  public static Janitor start(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Consumer<String> records) {
    return start(
        settings, client, clock, registry, records, each -> OperatorLog.ofPods(client, each));
  }

  /**
   * The same with other logs of the operators than their pods'.
   *
   * @param logs where each operator logs to
   */
  public static Janitor start(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Consumer<String> records,
      Function<OperatorSettings, OperatorLog> logs) {
    var janitor = new Janitor(settings, client, clock, registry, records, logs);
    janitor.leadership.start();
    janitor.scheduler =
        PruneScheduler.start(
            settings.prune().schedule(),
            janitor::scheduledPrune,
            settings.restart().checkEvery(),
            janitor.checks());
    logger.info(
        "janitor: pruning {}, restarts {}; operators {}; next runs {}",
        armed(settings.prune().armed()),
        armed(settings.restartArmed()),
        janitor.operators.keySet(),
        settings.prune().schedule().next(5, clock.instant()));
    return janitor;
  }

  /**
   * What a janitor does that cannot work: it says why, by log and metric, and no more. As a sidecar
   * it must not take the webhook out of service by ending.
   *
   * @param problems one line each
   */
  public static void idle(List<String> problems, MeterRegistry registry) {
    var metrics = new JanitorMetrics(registry, Optional::empty);
    metrics.settings(false, false, false);
    metrics.due(_ -> Optional.empty());
    problems.forEach(problem -> logger.error("janitor: idle: {}", problem));
  }

  /** Waits until this replica leads; false where the time is over before. */
  public boolean awaitLeadership(Duration time) throws InterruptedException {
    return leadership.await(time);
  }

  /**
   * One run of the pruner, out of turn. It deletes only where armed and while this replica leads.
   *
   * @throws KubernetesClientException where the sessions cannot be listed; nothing was deleted then
   */
  public RunReport prune() {
    var _ = beginTermIfNew();
    return pruning.run();
  }

  /** One check of an operator, out of turn. It restarts only where armed. */
  public OperatorReport checkOperator(String name) {
    if (beginTermIfNew()) {
      pruning.look();
    }
    return Objects.requireNonNull(operators.get(name), name).check();
  }

  /** Ends between two objects, and gives the Lease up. */
  @Override
  public void close() {
    cancellation.cancel();
    var running = scheduler;
    if (running != null) {
      running.close();
    }
    pruning.close();
    leadership.close();
  }

  private synchronized boolean beginTermIfNew() {
    var since = leadership.since();
    if (since.isPresent() && !since.equals(term)) {
      term = since;
      operators.values().forEach(Operator::beginTerm);
      reporter.beginTerm();
      return true;
    }
    return false;
  }

  private void scheduledPrune() {
    guarded(
        "prune",
        () -> {
          var _ = beginTermIfNew();
          pruning.scheduled();
        });
    // What was read is garbage now, and a collector that has nothing to do gives nothing back.
    System.gc();
  }

  private Map<String, Runnable> checks() {
    return operators.keySet().stream()
        .collect(
            Collectors.toMap(
                name -> name,
                name -> () -> guarded("check of " + name, () -> checkOperator(name))));
  }

  /** The next time comes by itself, so whatever fails now is logged and left. */
  private void guarded(String task, Runnable work) {
    if (cancellation.isCancelled()) {
      return;
    }
    try {
      work.run();
    } catch (KubernetesClientException e) {
      logger
          .atLevel(cancellation.isCancelled() ? Level.INFO : Level.ERROR)
          .log("{}: {}; tried again next time", task, ApiErrors.reason(e));
    } catch (RuntimeException | OutOfMemoryError e) {
      // Out of memory, too: what the task held is free again, and ending would take the pod along.
      logger.error("{} failed unexpectedly; tried again next time", task, e);
    }
  }

  private static String host() {
    return Objects.requireNonNullElse(System.getenv("HOSTNAME"), "janitor");
  }

  private static String leaseNamespace(JanitorSettings settings, KubernetesClient client) {
    var named = settings.leaseNamespace();
    return named != null
        ? named
        : client.getNamespace() != null ? client.getNamespace() : "default";
  }

  private static String armed(boolean armed) {
    return armed ? "armed" : "report-only";
  }
}
