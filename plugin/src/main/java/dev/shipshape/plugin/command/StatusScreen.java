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
    var leader = OperatorText.leader(status.janitorLeader(), status.leaderProblem());
    var isLed = leader.isPresent();
    line("leader", "janitor " + leader.orElse("none"));
    var janitor = status.janitor();
    line("pruning", janitor == null ? "not known" : armed(janitor.pruneArmed()));
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
          "%s (%s): %s; %s"
              .formatted(
                  operator.operator(),
                  armed(operator.armed()),
                  OperatorText.line(isLed, operator),
                  lastRestart(operator.restarts())));
    }
    line("restarts", janitor == null ? "not known" : armed(janitor.restartArmed()));
  }

  private void webhook(Status status) {
    line(
        "guard",
        status.isAsked() ? guard(status.guards()) : "not asked, or not known: see trouble");
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

  private static String armed(boolean isArmed) {
    return isArmed ? "armed" : "report-only";
  }

  private String at(Instant time, String what) {
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
