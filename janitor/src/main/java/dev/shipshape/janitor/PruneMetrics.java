package dev.shipshape.janitor;

import static dev.shipshape.janitor.Meters.written;

import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.SessionStats;
import dev.shipshape.janitor.prune.Verdict;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is counted of the pruner: see docs/reference/metrics.md. */
final class PruneMetrics {
  private static final List<String> RESULTS =
      List.of("gone", "already-gone", "replaced", "changed", "remaining", "failed", "not-tried");

  private static final Instant NOT_DUE = Instant.EPOCH;

  private final Map<String, Counter> runs = new LinkedHashMap<>();
  private final Map<BlockReason, Counter> blocked = new EnumMap<>(BlockReason.class);
  private final Map<String, Counter> deletions = new LinkedHashMap<>();
  private final Map<SessionStats.Cell, AtomicLong> sessions = new LinkedHashMap<>();
  private final Map<Verdict.Reason, AtomicLong> kept = new EnumMap<>(Verdict.Reason.class);
  private final AtomicLong eligible;
  private final AtomicLong lastSuccess;
  private final Timer runTime;

  PruneMetrics(MeterRegistry registry) {
    var meters = new Meters(registry);
    for (var ending : PruneReport.Ending.values()) {
      runs.put(
          written(ending), meters.counter("prune.runs", "Runs of the pruner", "ending", ending));
    }
    runs.put("failed", meters.counter("prune.runs", "Runs of the pruner", "ending", "failed"));
    for (var reason : BlockReason.values()) {
      blocked.put(
          reason,
          meters.counter("prune.blocked", "Runs that were due and held back", "reason", reason));
    }
    for (var result : RESULTS) {
      deletions.put(
          result, meters.counter("deletions", "Planned deletions by result", "result", result));
    }
    for (var state : SessionStats.State.values()) {
      for (var age : SessionStats.Age.values()) {
        Gauge.builder(
                Meters.PREFIX + "sessions",
                cell(new SessionStats.Cell(state, age)),
                AtomicLong::get)
            .description("Sessions at the last run of the pruner")
            .tag("state", written(state))
            .tag("age", written(age))
            .register(registry);
      }
    }
    for (var reason : Verdict.Reason.values()) {
      kept.put(
          reason, meters.gauge("sessions.kept", "Sessions kept at the last run", "reason", reason));
    }
    eligible = meters.gauge("sessions.eligible", "Sessions that the rules choose at the last run");
    lastSuccess =
        meters.gauge("prune.last.success.timestamp.seconds", "When a run last ended well");
    runTime =
        Timer.builder(Meters.PREFIX + "prune.run")
            .description("How long runs of the pruner take")
            .register(registry);
  }

  /**
   * What tells a run that does not come from one that is not due: the first time by the schedule
   * since a run ended well, or since this replica leads, which knows of none before.
   *
   * @param next the first run after a time; empty where there is none
   * @param leading since when; empty where this replica does not lead, and 0 is shown
   */
  void due(
      MeterRegistry registry,
      Function<Instant, Optional<Instant>> next,
      Supplier<Optional<Instant>> leading) {
    Gauge.builder(
            Meters.PREFIX + "prune.due.timestamp.seconds",
            () -> leading.get().map(this::lastGood).flatMap(next).orElse(NOT_DUE).getEpochSecond())
        .description("When the first run was or is due after the last that ended well")
        .register(registry);
  }

  private Instant lastGood(Instant leading) {
    var success = Instant.ofEpochSecond(lastSuccess.get());
    return success.isAfter(leading) ? success : leading;
  }

  /** A run has sent its requests; what is not seen to be gone yet is counted later. */
  void ran(PruneReport report) {
    Meters.count(runs, written(report.ending()));
    runTime.record(report.took());
    for (var deletion : report.deletions()) {
      if (deletion.result().status() != Status.TERMINATING) {
        Meters.count(deletions, deletion.result().status().word());
      }
    }
    var plan = report.plan();
    plan.stop().ifPresent(stop -> blocked(BlockReason.by(stop)));
    sessions.forEach((cell, value) -> value.set(plan.stats().cells().getOrDefault(cell, 0)));
    kept.forEach((reason, value) -> value.set(plan.stats().kept().getOrDefault(reason, 0)));
    eligible.set(plan.eligible());
  }

  /**
   * A run's follow-up has ended: one that left anything behind is no success, and the alert on its
   * absence must fire.
   *
   * @param before the report as it was counted
   */
  void followedUp(PruneReport before, PruneReport report, Instant now) {
    var counted = new HashMap<Session, Status>();
    before.deletions().forEach(each -> counted.put(each.entry().session(), each.result().status()));
    for (var deletion : report.deletions()) {
      if (counted.get(deletion.entry().session()) != deletion.result().status()) {
        Meters.count(deletions, deletion.result().status().word());
      }
    }
    if (report.isGood()) {
      lastSuccess.set(now.getEpochSecond());
    }
  }

  /** A run that broke off. */
  void failed(Duration took) {
    Meters.count(runs, "failed");
    runTime.record(took);
  }

  /** A run that was told to end before it had a plan. */
  void interrupted(Duration took) {
    Meters.count(runs, written(PruneReport.Ending.INTERRUPTED));
    runTime.record(took);
  }

  /** A run that was due. */
  void blocked(BlockReason reason) {
    Objects.requireNonNull(blocked.get(reason)).increment();
  }

  private AtomicLong cell(SessionStats.Cell cell) {
    return sessions.computeIfAbsent(cell, _ -> new AtomicLong());
  }
}
