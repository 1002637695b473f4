package dev.shipshape.janitor;

import static dev.shipshape.service.Section.written;

import dev.shipshape.janitor.prune.BlockReason;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.SessionStats;
import dev.shipshape.janitor.prune.Verdict;
import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.RestartResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** The janitor's metrics: see docs/reference/metrics.md. All are there from the start, at 0. */
final class JanitorMetrics {
  private static final String PREFIX = "shipshape.janitor.";

  /** What a deletion cannot end as. */
  private static final EnumSet<Status> OPEN = EnumSet.of(Status.PLANNED, Status.TERMINATING);

  private final MeterRegistry registry;
  private final Supplier<Optional<Instant>> leading;
  private final AtomicLong lastSuccess;

  /** Of the last run that saw all sessions. */
  private volatile SessionStats stats = SessionStats.NONE;

  /** What the operators' gauges show, by name; none before the first check. */
  private final Map<String, OperatorReport> operators = new ConcurrentHashMap<>();

  private final Map<String, AtomicLong> lastChecks = new ConcurrentHashMap<>();

  /**
   * @param leading since when this replica leads; one that does not looks no more, so what it saw
   *     last holds no longer
   */
  JanitorMetrics(MeterRegistry registry, Supplier<Optional<Instant>> leading) {
    this.registry = registry;
    this.leading = leading;
    var none = Tags.empty();
    counters("prune.runs", "Runs of the pruner", none, "ending", RunReport.Ending.class);
    counters(
        "prune.blocked", "Runs that were due and held back", none, "reason", BlockReason.class);
    EnumSet.complementOf(OPEN).forEach(each -> deletions(each.word()));
    for (var state : SessionStats.State.values()) {
      for (var age : SessionStats.Age.values()) {
        gauge(
            "sessions",
            "Sessions at the last run of the pruner",
            Tags.of("state", written(state), "age", written(age)),
            () -> stats.count(state, age));
      }
    }
    for (var reason : Verdict.Reason.values()) {
      gauge(
          "sessions.kept",
          "Sessions kept at the last run",
          Tags.of("reason", written(reason)),
          () -> stats.kept().getOrDefault(reason, 0));
    }
    gauge(
        "sessions.eligible",
        "Sessions that the rules choose at the last run",
        Tags.empty(),
        () -> stats.eligible());
    lastSuccess =
        gauge("prune.last.success.timestamp.seconds", "When a run last ended well", Tags.empty());
    var _ = registry.timer(PREFIX + "prune.run");
    gauge("leader", "Whether this replica leads", Tags.empty(), () -> leads() ? 1 : 0);
  }

  /** An operator that is looked after. */
  void register(String operator) {
    var of = tags(operator);
    counters("operator.checks", "Checks of the operator", of, "diagnosis", Diagnosis.Kind.class);
    restarts(operator);
    counters("restart.refusals", "Restarts refused", of, "reason", RestartRefusal.class);
    counters("restart.results", "What restarts came to", of, "result", RestartResult.class);
    lastChecks.put(
        operator, gauge("operator.last.check.timestamp.seconds", "When the log was last read", of));
    seen(
        operator,
        "signals.present",
        "Whether a signal is present now",
        of.and("kind", "silence"),
        report -> report.silence() == null ? 0 : 1);
    seen(
        operator,
        "operator.stuck.since.timestamp.seconds",
        "Since when the operator has been found stuck; 0 if it is not",
        of,
        report -> report.stuckSince() == null ? 0 : report.stuckSince().getEpochSecond());
    for (var reason : RestartRefusal.values()) {
      seen(
          operator,
          "restart.refused",
          "1 for why it is not restarted now, or would not be if it were stuck",
          of.and("reason", written(reason)),
          report ->
              (report.refusal() == null ? report.governor() : report.refusal()) == reason ? 1 : 0);
    }
  }

  /** The settings: whether they could be used, and what they arm. */
  void settings(boolean valid, boolean pruneArmed, boolean restartArmed) {
    gauge("settings.valid", "Whether the settings can be used", Tags.empty()).set(valid ? 1 : 0);
    gauge("armed", "What is armed", Tags.of("task", "prune")).set(pruneArmed ? 1 : 0);
    gauge("armed", "What is armed", Tags.of("task", "restart")).set(restartArmed ? 1 : 0);
  }

  /**
   * When pruning is due: the first time by the schedule since a run ended well, or since this
   * replica leads, which knows of none before.
   *
   * @param next the first run after a time; empty if there is none
   */
  void due(Function<Instant, Optional<Instant>> next) {
    gauge(
        "prune.due.timestamp.seconds",
        "When the first run was or is due after the last that ended well",
        Tags.empty(),
        () ->
            leading.get().map(this::lastGood).flatMap(next).orElse(Instant.EPOCH).getEpochSecond());
  }

  /** A run that was due. */
  void blocked(BlockReason reason) {
    count("prune.blocked", "reason", reason);
  }

  /** A run has sent its requests, or ended without. */
  void ran(RunReport report) {
    count("prune.runs", "ending", report.ending());
    registry.timer(PREFIX + "prune.run").record(report.took());
    if (report.blocked() != null) {
      blocked(report.blocked());
    }
    if (!report.run().isEmpty()) {
      saw(report.stats());
    }
  }

  /** What sessions there are. */
  void saw(SessionStats seen) {
    stats = seen;
  }

  /**
   * It is known what a run came to, each deletion once: one that left anything behind is no
   * success, and the alert on its absence must fire.
   */
  void verified(RunReport report, Instant now) {
    for (var deletion : report.deletions()) {
      if (deletion.result().status() != Status.PLANNED) {
        deletions(deletion.result().status().word()).increment();
      }
    }
    if (report.isGood()) {
      lastSuccess.set(now.getEpochSecond());
    }
  }

  /** A check of an operator. */
  void checked(OperatorReport report) {
    var operator = report.operator();
    var of = tags(operator);
    operators.put(operator, report);
    checks(operator, report.diagnosis());
    if (report.diagnosis() != Diagnosis.Kind.UNREADABLE) {
      Objects.requireNonNull(lastChecks.get(operator)).set(report.at().getEpochSecond());
    }
    if (report.result() != null) {
      counter("restart.results", "", of.and("result", written(report.result()))).increment();
    }
    if (report.restartedAt() != null) {
      restarts(operator).increment();
    }
    if (report.refusal() != null) {
      counter("restart.refusals", "", of.and("reason", written(report.refusal()))).increment();
    }
  }

  void checks(String operator, Diagnosis.Kind diagnosis) {
    counter("operator.checks", "", tags(operator).and("diagnosis", written(diagnosis))).increment();
  }

  private static Tags tags(String operator) {
    return Tags.of("operator", operator);
  }

  private boolean leads() {
    return leading.get().isPresent();
  }

  private Instant lastGood(Instant since) {
    var success = Instant.ofEpochSecond(lastSuccess.get());
    return success.isAfter(since) ? success : since;
  }

  private Counter deletions(String result) {
    return counter("deletions", "Planned deletions by result", Tags.of("result", result));
  }

  private Counter restarts(String operator) {
    return counter("restarts", "Restarts of the operator", tags(operator));
  }

  private <E extends Enum<E>> void counters(
      String name, String description, Tags tags, String tag, Class<E> values) {
    for (var value : Objects.requireNonNull(values.getEnumConstants())) {
      var _ = counter(name, description, tags.and(tag, written(value)));
    }
  }

  private void count(String name, String tag, Enum<?> value) {
    counter(name, "", Tags.of(tag, written(value))).increment();
  }

  /** The one that is registered, or else a new one. */
  private Counter counter(String name, String description, Tags tags) {
    return Counter.builder(PREFIX + name).description(description).tags(tags).register(registry);
  }

  private AtomicLong gauge(String name, String description, Tags tags) {
    var value = new AtomicLong();
    gauge(name, description, tags, value::get);
    return value;
  }

  /** Of the last check; 0 if there was none, or if this replica does not lead. */
  private void seen(
      String operator,
      String name,
      String description,
      Tags tags,
      Function<OperatorReport, Number> value) {
    gauge(
        name,
        description,
        tags,
        () -> {
          var report = operators.get(operator);
          return report == null || !leads() ? 0 : value.apply(report);
        });
  }

  private void gauge(String name, String description, Tags tags, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value)
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }
}
