package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Status;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A release's status for a person. */
final class StatusScreen {
  private final PrintWriter out;
  private final InstantSource clock;

  StatusScreen(PrintWriter out, InstantSource clock) {
    this.out = out;
    this.clock = clock;
  }

  void show(String release, Status status) {
    line("release", status.replicas().isEmpty() ? release + ": not found" : release);
    if (status.replicas().isEmpty()) {
      return;
    }
    lines("replicas", status.replicas());
    line("leader", "janitor " + known(status.janitorLeader()));
    line("guard", status.isAsked() ? guard(status.guards()) : "not asked, see trouble");
    if (status.anybodyRecords()) {
      line("", "anybody's -invalid and -backup records count: see guard.recordWriters");
    }
    lines("index", index(status));
    line("certificate", at(status.certificateExpiry(), "expires"));
    line("pruning", armed(status.pruning(), "armed", "report-only"));
    line(
        "last prune",
        "%s; %s"
            .formatted(
                lastPrune(status),
                counted(status.pruned(), "%d sessions gone since the janitors started")));
    if (status.operator() != null) {
      line("operator", status.operator());
    }
    line("restarts", armed(status.restarting(), "armed", "report-only"));
    line(
        "last restart",
        "%s; %s"
            .formatted(
                at(status.lastRestart(), "of the operator"),
                counted(status.restarts(), "%d by the janitors since they started")));
    lines("trouble", status.troubles());
  }

  /** Which guards refuse and which only warn; their names only where they differ. */
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

  private static String counted(@Nullable Long number, String text) {
    return number == null
        ? "how many is not known: no janitor's metrics could be read"
        : text.formatted(number);
  }

  private static List<String> index(Status status) {
    return status.index().isEmpty()
        ? List.of("not known: no webhook's metrics could be read")
        : status.index().stream().map(StatusScreen::index).toList();
  }

  /** A run that deletes nothing is none: what it would have deleted is still there. */
  private String lastPrune(Status status) {
    return status.lastPrune() == null && status.lastReport() != null
        ? "none known; a report-only run " + at(status.lastReport(), "ended")
        : at(status.lastPrune(), "ended well");
  }

  private static String index(Status.Index index) {
    return String.format(
        Locale.ROOT,
        "%s: %d objects, %d known invalid, %.1f s old",
        index.pod(),
        index.objects(),
        index.knownInvalid(),
        index.age());
  }

  /** What the replicas do; what their settings say only where that is something else. */
  private static String armed(Status.Armed armed, String yes, String no) {
    var asked = armed.armed() + armed.unarmed();
    var settings = armed.settings() == null ? null : armed.settings() ? yes : no;
    if (asked == 0) {
      return settings == null
          ? "unknown: its settings could not be read"
          : settings + " by the settings; no replica could be asked";
    }
    if (armed.armed() > 0 && armed.unarmed() > 0) {
      return "%s on %d of %d replicas".formatted(yes, armed.armed(), asked);
    }
    var now = armed.armed() > 0 ? yes : no;
    return settings == null || settings.equals(now)
        ? now
        : "%s; by the settings: %s".formatted(now, settings);
  }

  private static String known(@Nullable String name) {
    return name == null ? "none" : name;
  }

  private String at(@Nullable Instant time, String what) {
    if (time == null) {
      return "not known";
    }
    var away = Duration.between(clock.instant(), time);
    return "%s %s (%s)"
        .formatted(what, time, away.isNegative() ? ago(away.abs()) : "in " + roughly(away));
  }

  private static String ago(Duration time) {
    return roughly(time) + " ago";
  }

  private static String roughly(Duration time) {
    return time.toDays() > 1
        ? time.toDays() + " d"
        : time.toHours() > 1
            ? time.toHours() + " h"
            : time.toMinutes() > 1 ? time.toMinutes() + " min" : time.toSeconds() + " s";
  }

  private void lines(String label, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      line(i == 0 ? label : "", texts.get(i));
    }
  }

  private void line(String label, String text) {
    out.printf(Locale.ROOT, "%-14s%s%n", label, text);
  }
}
