package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.OperatorLog;
import dev.shipshape.janitor.restart.OperatorMonitor;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.service.Leadership;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The janitor at work: prunes by its schedule, looks after the operator every few seconds, and does
 * both only while its replica leads. Nothing that goes wrong in it ends the process: it says what
 * is wrong and stays idle.
 */
public final class Janitor implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Janitor.class);

  /** The Lease by which the replicas elect the one that acts. */
  public static final String LEASE = "shipshape-janitor";

  private final JanitorMetrics metrics;
  private final Leadership leadership;
  private final CancellationToken cancellation;
  private final EventWriter events;
  private final Reporter reporter;
  private final PruneJob pruning;
  private final OperatorMonitor operator;
  private Optional<Instant> term = Optional.empty();
  private volatile @Nullable PruneScheduler scheduler;

  private Janitor(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Consumer<String> records,
      OperatorLog log) {
    var namespace = leaseNamespace(settings, client);
    this.leadership = new Leadership(client, namespace, LEASE);
    this.metrics = new JanitorMetrics(registry, leadership::since);
    this.cancellation = new CancellationToken(leadership::isLeader);
    this.events =
        new EventWriter(
            client,
            settings.operator().namespace(),
            settings.operator().deployment(),
            host(),
            clock,
            System::nanoTime,
            metrics::event);
    var nothing =
        new JanitorStatus(settings.prune().armed(), settings.restartArmed(), null, null, null);
    var status = new StatusPublisher(client, namespace, nothing, leadership::isLeader);
    this.reporter = new Reporter(metrics, events, status, clock);
    var audit = new AuditLog(records, clock);
    var sessions = ManualPrune.sessions(settings, client);
    this.pruning =
        new PruneJob(
            settings.prune(),
            ManualPrune.pruner(settings, client, sessions, clock, audit, cancellation),
            reporter,
            metrics,
            cancellation,
            clock);
    this.operator =
        new OperatorMonitor(
            settings.operator(),
            settings.restartArmed(),
            client,
            log,
            sessions,
            audit,
            () -> pruning.beforeRestart(settings.operator().waitForPruned()),
            cancellation,
            clock);
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
    var log = OperatorLog.ofPods(client, settings.operator());
    return start(settings, client, clock, registry, records, log);
  }

  /**
   * The same with another log of the operator than its pods'.
   *
   * @param log where the operator logs to
   */
  public static Janitor start(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Consumer<String> records,
      OperatorLog log) {
    var janitor = new Janitor(settings, client, clock, registry, records, log);
    janitor.leadership.stand();
    janitor.scheduler =
        PruneScheduler.start(
            settings.prune().schedule(),
            janitor::scheduledPrune,
            settings.operator().checkEvery(),
            janitor::scheduledCheck);
    logger.info(
        "janitor: pruning {}, restarts {}; next runs {}",
        armed(settings.prune().armed()),
        armed(settings.restartArmed()),
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
   * What a run would delete now.
   *
   * @throws KubernetesClientException where the sessions cannot be listed
   */
  public Plan plan() {
    return pruning.plan();
  }

  /**
   * One run of the pruner, out of turn. It deletes only where armed and while this replica leads.
   *
   * @throws KubernetesClientException where the sessions cannot be listed; nothing was deleted then
   */
  public RunReport prune() {
    beginTermIfNew();
    return pruning.run();
  }

  /** One check of the operator, out of turn. It restarts only where armed. */
  public synchronized OperatorReport checkOperator() {
    beginTermIfNew();
    try {
      var report = operator.check();
      reporter.checked(report);
      return report;
    } catch (RuntimeException | OutOfMemoryError e) {
      reporter.checkFailed();
      throw e;
    }
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
    events.close();
    leadership.close();
  }

  private synchronized void beginTermIfNew() {
    var since = leadership.since();
    if (since.isPresent() && !since.equals(term)) {
      term = since;
      operator.beginTerm();
      reporter.beginTerm();
    }
  }

  private void scheduledPrune() {
    guarded(
        "prune",
        () -> {
          beginTermIfNew();
          pruning.scheduled();
        });
  }

  private void scheduledCheck() {
    guarded("check of the operator", this::checkOperator);
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
