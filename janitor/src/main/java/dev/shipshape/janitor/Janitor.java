package dev.shipshape.janitor;

import dev.shipshape.janitor.JanitorMetrics.Task;
import dev.shipshape.janitor.event.KubernetesEvents;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.operator.OperatorReport;
import dev.shipshape.janitor.operator.PruneFirst;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.prune.Journal;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.service.Leadership;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
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
  private final StopSignal stop;
  private final Journal journal;
  private final KubernetesEvents events;
  private final PruneRuns runs;
  private final OperatorCare care;
  private final Rights pruneRights;
  private final Rights checkRights;
  private final Rights eventRights;
  private final Rights leadRights;
  private volatile @Nullable Timetable timetable;

  private Janitor(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Journal journal) {
    this.metrics = new JanitorMetrics(registry);
    var leaseNamespace = leaseNamespace(settings, client);
    this.leadership = new Leadership(client, leaseNamespace, LEASE);
    this.stop = new StopSignal(leadership::isLeader);
    var api = new KubernetesApi(client);
    this.journal = Pruning.journal(settings, journal, clock);
    var operatorMetrics = new OperatorMetrics(registry, leadership::isLeader);
    this.events =
        new KubernetesEvents(api, host(), clock, System::nanoTime, operatorMetrics::event);
    var sessions = Pruning.sessions(settings, api, clock, stop);
    this.runs =
        new PruneRuns(
            settings.prune(),
            Pruning.pruner(settings, api, sessions, clock, this.journal, stop),
            metrics.prune(),
            new PruneEvents(events, api, settings.operator()),
            stop,
            clock);
    this.care =
        new OperatorCare(
            settings,
            api,
            sessions,
            new PruneFirst(
                settings.prune().armed(),
                () -> runs.beforeRestart(settings.operator().waitForPruned())),
            events,
            stop,
            clock,
            operatorMetrics);
    this.pruneRights = new Rights(api, clock, "pruning", Right.toPrune(settings));
    this.checkRights =
        new Rights(api, clock, "the operator's check", Right.toCheckOperator(settings));
    this.eventRights =
        new Rights(api, clock, "the writing of Events", Right.toWriteEvents(settings));
    this.leadRights = new Rights(api, clock, "the election", Right.toLead(leaseNamespace));
    metrics.settings(
        true,
        () -> settings.prune().armed() && pruneRights.missing().isEmpty(),
        () -> settings.restartArmed() && checkRights.missing().isEmpty());
    metrics.leader(leadership::isLeader);
    metrics.due(settings.prune().schedule(), leadership::since);
    metrics.missingRights(Task.PRUNE, () -> pruneRights.missing().size());
    metrics.missingRights(Task.CHECK_OPERATOR, () -> checkRights.missing().size());
    metrics.missingRights(Task.WRITE_EVENTS, () -> eventRights.missing().size());
    metrics.missingRights(Task.LEAD, () -> leadRights.missing().size());
  }

  /**
   * Starts the janitor and returns at once; it stands for election and then works by its times.
   *
   * @param journal where each deletion leaves its record
   */
  public static Janitor start(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      MeterRegistry registry,
      Journal journal) {
    var janitor = new Janitor(settings, client, clock, registry, journal);
    Thread.ofVirtual().name("rights").start(janitor::lookAtRights);
    Thread.ofVirtual().name("records").start(janitor::settle);
    janitor.leadership.stand();
    janitor.timetable =
        Timetable.start(
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
    new JanitorMetrics(registry).idle();
    var _ = new OperatorMetrics(registry, () -> false);
    problems.forEach(problem -> logger.error("janitor: idle, its settings are wrong: {}", problem));
  }

  /** Waits until this replica leads; false where the time is over before. */
  public boolean awaitLeadership(Duration time) throws InterruptedException {
    return leadership.await(time);
  }

  /**
   * What a run would delete now.
   *
   * @throws ApiFailure where the sessions cannot be listed
   */
  public Plan plan() {
    return runs.plan();
  }

  /**
   * One run of the pruner, out of turn. It deletes only where armed and while this replica leads.
   *
   * @throws ApiFailure where the sessions cannot be listed; nothing was deleted then
   */
  public PruneReport prune() {
    return runs.run();
  }

  /** One check of the operator, out of turn. It restarts only where armed. */
  public OperatorReport checkOperator() {
    return care.check();
  }

  /** Ends between two objects, and gives the Lease up. */
  @Override
  public void close() {
    stop.stop();
    var running = timetable;
    if (running != null) {
      running.close();
    }
    runs.close();
    events.close();
    leadership.close();
    journal.close();
  }

  private void scheduledPrune() {
    if (leadership.isLeader()) {
      guarded("prune", pruneRights, () -> runs.scheduled(pruneRights));
    } else {
      settle();
    }
  }

  private void scheduledCheck() {
    lookAtRights();
    guarded(
        "check of the operator",
        checkRights,
        () -> {
          if (checkRights.areGranted()) {
            checkOperator();
          }
        });
  }

  /**
   * What this process's earlier life left unrecorded is nobody else's to record, and the longer it
   * stays so, the more others can have done to it.
   */
  private void settle() {
    try {
      runs.settle();
    } catch (RuntimeException | OutOfMemoryError e) {
      logger.error("records: could not be settled: {}; tried again later", e.toString());
    }
  }

  /** Whether or not this replica leads, so that a missing right is known before it matters. */
  private void lookAtRights() {
    try {
      for (var rights : List.of(leadRights, pruneRights, checkRights, eventRights)) {
        rights.areGranted();
      }
    } catch (ApiFailure | OutOfMemoryError e) {
      logger.error("rights: could not be asked for: {}; tried again later", e.getMessage());
    }
  }

  /**
   * The next time comes by itself, so whatever fails now is said and left.
   *
   * @param rights to be asked for again where the API server refuses something
   */
  private void guarded(String task, Rights rights, Runnable work) {
    if (stop.isStopped()) {
      return;
    }
    try {
      work.run();
    } catch (ApiFailure e) {
      if (e.code() == 403) {
        rights.doubt();
      }
      logger
          .atLevel(stop.isStopped() ? Level.INFO : Level.ERROR)
          .log("{}: {}; tried again next time", task, e.getMessage());
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
    return armed ? "armed" : "only reported";
  }
}
