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
import io.micrometer.core.instrument.Timer;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The janitor's metrics: see docs/reference/metrics.md. All exist from the start, with 0. */
final class JanitorMetrics {
  private static final String PREFIX = "shipshape.janitor.";

  private static final EnumSet<Status> NOT_FINAL = EnumSet.of(Status.PLANNED, Status.TERMINATING);

  private final MeterRegistry registry;
  private final Supplier<Optional<Instant>> leaderSince;
  private final AtomicLong lastSuccess;
  private final Timer run;

  /** Of the last run that listed all sessions. */
  private volatile SessionStats stats = SessionStats.NONE;

  private final Map<String, OperatorReport> operators = new ConcurrentHashMap<>();

  private final Map<String, AtomicLong> lastChecks = new ConcurrentHashMap<>();

  /**
   * @param leaderSince since when this replica leads; otherwise its last reports are outdated
   */
  JanitorMetrics(MeterRegistry registry, Supplier<Optional<Instant>> leaderSince) {
    this.registry = registry;
    this.leaderSince = leaderSince;
    var none = Tags.empty();
    counters("prune.runs", "Runs of the pruner", none, "ending", RunReport.Ending.class);
    counters(
        "prune.blocked", "Runs that were due and held back", none, "reason", BlockReason.class);
    EnumSet.complementOf(NOT_FINAL).forEach(each -> deletions(each.word()));
    for (var state : SessionStats.State.values()) {
      gauge(
          "sessions",
          "Sessions at the last run of the pruner",
          Tags.of("state", written(state)),
          () -> stats().byState().getOrDefault(state, 0));
    }
    for (var reason : Verdict.Reason.values()) {
      gauge(
          "sessions.kept",
          "Sessions kept at the last run",
          Tags.of("reason", written(reason)),
          () -> stats().kept().getOrDefault(reason, 0));
    }
    gauge(
        "sessions.eligible",
        "Sessions that the rules choose at the last run",
        Tags.empty(),
        () -> stats().eligible());
    lastSuccess =
        gauge("prune.last.success.timestamp.seconds", "When a run last ended well", Tags.empty());
    run =
        Timer.builder(PREFIX + "prune.run")
            .description("How long runs of the pruner took")
            .register(registry);
    gauge("leader", "Whether this replica leads", Tags.empty(), () -> isLeader() ? 1 : 0);
  }

  void register(String operator) {
    var of = tags(operator);
    counters("operator.checks", "Checks of the operator", of, "diagnosis", Diagnosis.Kind.class);
    restarts(operator);
    counters("restart.refusals", "Restarts refused", of, "reason", RestartRefusal.class);
    counters("restart.results", "Restarts by result", of, "result", RestartResult.class);
    lastChecks.put(
        operator, gauge("operator.last.check.timestamp.seconds", "When the log was last read", of));
    operatorGauge(
        operator,
        "signals.present",
        "Whether a signal is present now",
        of.and("kind", "silence"),
        report -> report.silence() == null ? 0 : 1);
    operatorGauge(
        operator,
        "operator.stuck.since.timestamp.seconds",
        "Since when the operator has been found stuck; 0 if it is not",
        of,
        report -> report.stuckSince() == null ? 0 : report.stuckSince().getEpochSecond());
    for (var reason : RestartRefusal.values()) {
      operatorGauge(
          operator,
          "restart.refused",
          "1 for the reason that forbids a restart now",
          of.and("reason", written(reason)),
          report ->
              (report.refusal() == null ? report.governor() : report.refusal()) == reason ? 1 : 0);
    }
  }

  void registerSettings(boolean valid, boolean pruneArmed, boolean restartArmed) {
    gauge("settings.valid", "Whether the settings can be used", Tags.empty()).set(valid ? 1 : 0);
    gauge("armed", "What is armed", Tags.of("task", "prune")).set(pruneArmed ? 1 : 0);
    gauge("armed", "What is armed", Tags.of("task", "restart")).set(restartArmed ? 1 : 0);
  }

  /**
   * Registers when pruning is due: at the first scheduled time after the last successful run of any
   * leader, or if there was none, after this replica became the leader.
   *
   * @param next returns the first scheduled run after a time, if any
   */
  void registerDue(Function<Instant, Optional<Instant>> next) {
    gauge(
        "prune.due.timestamp.seconds",
        "When the first run was or is due after the last that ended well",
        Tags.empty(),
        () ->
            leaderSince
                .get()
                .map(
                    since ->
                        lastSuccess.get() == 0 ? since : Instant.ofEpochSecond(lastSuccess.get()))
                .flatMap(next)
                .orElse(Instant.EPOCH)
                .getEpochSecond());
  }

  /** Forgets what this replica saw in an earlier term: another one may have changed everything. */
  void beginTerm() {
    stats = SessionStats.NONE;
    operators.clear();
  }

  /** Records the last successful run of earlier leaders: missed runs outlive a killed leader. */
  void recordEarlier(@Nullable RunReport lastGood) {
    if (lastGood != null) {
      lastSuccess.accumulateAndGet(lastGood.at().getEpochSecond(), Math::max);
    }
  }

  void recordBlocked(BlockReason reason) {
    count("prune.blocked", "reason", reason);
  }

  void recordRun(RunReport report) {
    count("prune.runs", "ending", report.ending());
    run.record(report.took());
    if (report.blocked() != null) {
      recordBlocked(report.blocked());
    }
    if (!report.run().isEmpty()) {
      recordStats(report.stats());
    }
  }

  void recordStats(SessionStats latest) {
    stats = latest;
  }

  /**
   * Counts the results of a verified run. A run that left anything behind is no success: the alert
   * on missing success must fire.
   */
  void recordResults(RunReport report, Instant now) {
    for (var deletion : report.deletions()) {
      if (!NOT_FINAL.contains(deletion.result().status())) {
        deletions(deletion.result().status().word()).increment();
      }
    }
    if (report.isGood()) {
      lastSuccess.set(now.getEpochSecond());
    }
  }

  void recordCheck(OperatorReport report) {
    var operator = report.operator();
    var of = tags(operator);
    operators.put(operator, report);
    countCheck(operator, report.diagnosis());
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

  void countCheck(String operator, Diagnosis.Kind diagnosis) {
    counter("operator.checks", "", tags(operator).and("diagnosis", written(diagnosis))).increment();
  }

  /** Those of a replica that no longer leads are outdated. */
  private SessionStats stats() {
    return isLeader() ? stats : SessionStats.NONE;
  }

  private static Tags tags(String operator) {
    return Tags.of("operator", operator);
  }

  private boolean isLeader() {
    return leaderSince.get().isPresent();
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

  private Counter counter(String name, String description, Tags tags) {
    return Counter.builder(PREFIX + name).description(description).tags(tags).register(registry);
  }

  private AtomicLong gauge(String name, String description, Tags tags) {
    var value = new AtomicLong();
    gauge(name, description, tags, value::get);
    return value;
  }

  /**
   * Registers a gauge of the term's last check; 0 before it, or while this replica does not lead.
   */
  private void operatorGauge(
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
          return report == null || !isLeader() ? 0 : value.apply(report);
        });
  }

  private void gauge(String name, String description, Tags tags, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value).description(description).tags(tags).register(registry);
  }
}
