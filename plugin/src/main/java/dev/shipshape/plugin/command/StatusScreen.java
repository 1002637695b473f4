package dev.shipshape.plugin.command;

import static dev.shipshape.service.Section.written;

import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.Verdict;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.plugin.release.Status;
import dev.shipshape.service.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows people a release's status. */
final class StatusScreen {
  private final StringBuilder text = new StringBuilder();
  private final InstantSource clock;

  StatusScreen(InstantSource clock) {
    this.clock = clock;
  }

  String text(String release, Status status) {
    show(release, status);
    return text.toString();
  }

  private void show(String release, Status status) {
    line("release", status.replicas().isEmpty() ? release + ": not found" : release);
    if (status.replicas().isEmpty()) {
      status.notes().forEach(note -> line("", note));
      if (!status.guards().isEmpty()) {
        line("guard", guard(status.guards()));
      }
      lines("trouble", status.troubles());
      return;
    }
    lines("replicas", status.replicas());
    if (status.hasWebhook()) {
      webhook(status);
    } else {
      line("webhook", "off");
    }
    if (status.hasJanitor()) {
      janitor(status);
    } else {
      line("janitor", "off");
    }
    lines("trouble", status.troubles());
  }

  private void janitor(Status status) {
    line("leader", "janitor " + Objects.requireNonNullElse(status.janitorLeader(), "none"));
    var janitor = status.janitor();
    var isLed = status.janitorLeader() != null;
    line("pruning", armed(janitor == null ? null : janitor.pruneArmed(), status.pruneSettings()));
    line("last run", janitor == null ? "not known" : run(janitor.lastRun()));
    if (janitor != null && !Objects.equals(janitor.lastRun(), janitor.lastGoodRun())) {
      line("last good run", run(janitor.lastGoodRun()));
    }
    if (isLed && status.nextRun() != null) {
      line("next run", at(status.nextRun(), "at"));
    }
    var operators = janitor == null ? List.<OperatorReport>of() : janitor.operators();
    if (operators.isEmpty()) {
      line("operator", OperatorText.line(isLed, null));
    }
    for (var operator : operators) {
      line(
          "operator",
          "%s: %s; %s"
              .formatted(
                  operator.operator(),
                  OperatorText.line(isLed, operator),
                  lastRestart(operator.restarts())));
    }
    line(
        "restarts",
        armed(janitor == null ? null : janitor.restartArmed(), status.restartSettings())
            + reportOnly(operators));
  }

  private void webhook(Status status) {
    line(
        "guard",
        status.isAsked() ? guard(status.guards()) : "not asked, or not known: see trouble");
    if (status.areRecordsUnrestricted()) {
      line("", "-invalid and -backup records count from any writer: see guard.recordWriters");
    }
    status.notes().forEach(note -> line("", note));
  }

  private String lastRestart(OperatorReport.@Nullable Restarts restarts) {
    return restarts == null
        ? "last restart not known"
        : restarts.last() == null
            ? "never restarted"
            : "last restart %s, %d by janitors"
                .formatted(at(restarts.last(), "at"), restarts.ours().size());
  }

  /** Lists the operators that are not armed, if others are. */
  private static String reportOnly(List<OperatorReport> operators) {
    var names =
        operators.stream()
            .filter(each -> !each.armed())
            .map(OperatorReport::operator)
            .collect(Collectors.joining(", "));
    return names.isEmpty() || operators.stream().noneMatch(OperatorReport::armed)
        ? ""
        : "; report-only: " + names;
  }

  /** Shows which guards refuse and which only warn; with their names only if they differ. */
  private static String guard(Map<String, Boolean> guards) {
    if (!guards.containsValue(true)) {
      return "audit: only warns";
    }
    return guards.containsValue(false)
        ? "refuses known-invalid: %s; only warns: %s"
            .formatted(named(guards, true), named(guards, false))
        : "refuses known-invalid";
  }

  private static String named(Map<String, Boolean> guards, boolean armed) {
    return guards.entrySet().stream()
        .filter(guard -> guard.getValue() == armed)
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }

  /** A run that only reports is marked: the sessions that it would have deleted still exist. */
  private String run(@Nullable RunReport run) {
    if (run == null) {
      return "none yet";
    }
    var terminating = run.stats().kept().getOrDefault(Verdict.Reason.TERMINATING, 0);
    return "%s: %s%s"
        .formatted(
            at(run.at(), written(run.ending())),
            run.message().isEmpty() ? run.outcome() : run.message(),
            terminating == 0 ? "" : "; %d being deleted already".formatted(terminating));
  }

  /** Shows what the leader does, and the settings only if they differ. */
  private static String armed(@Nullable Boolean leader, @Nullable Boolean settings) {
    if (leader == null) {
      return settings == null
          ? "unknown: its settings could not be read"
          : word(settings) + " by the settings; no janitor has reported yet";
    }
    return settings == null || settings.equals(leader)
        ? word(leader)
        : "%s; by the settings: %s".formatted(word(leader), word(settings));
  }

  private static String word(boolean armed) {
    return armed ? "armed" : "report-only";
  }

  private String at(@Nullable Instant time, String what) {
    if (time == null) {
      return "not known";
    }
    var away = Duration.between(clock.instant(), time);
    return "%s %s (%s)"
        .formatted(
            what,
            time,
            away.isNegative()
                ? Durations.format(away.abs()) + " ago"
                : "in " + Durations.format(away));
  }

  private void lines(String label, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      line(i == 0 ? label : "", texts.get(i));
    }
  }

  private void line(String label, String text) {
    this.text.append("%-14s%s%n".formatted(label, text));
  }
}
