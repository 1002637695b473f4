package dev.shipshape.janitor;

import dev.shipshape.janitor.restart.OperatorSettings;
import dev.shipshape.janitor.restart.RestartGovernor;
import dev.shipshape.janitor.restart.RestartSettings;
import dev.shipshape.janitor.restart.Signature;
import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.janitor.session.RestEndpoint;
import dev.shipshape.service.Durations;
import dev.shipshape.service.Section;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Reads {@code operators}, {@code signatures} and {@code restart}, which refer to one another. */
final class OperatorSection {
  private static final String DEFAULT_OPERATORS =
      "[{name: cray-cfs-operator, container: cray-cfs-operator, signature: cfs-1.3,"
          + " ownsSessions: true}]";

  private static final Duration MAX_CHECK_EVERY = Duration.ofMinutes(2);

  /** Each operator has its own thread. */
  private static final int MAX_OPERATORS = 20;

  private final String sessionsNamespace;
  private final boolean armed;
  private final RestartGovernor governor;
  private final List<Signature> signatures = new ArrayList<>();

  private OperatorSection(
      Section top, Section restart, String sessionsNamespace, Duration clockTolerance) {
    this.sessionsNamespace = sessionsNamespace;
    this.armed = restart.flag("armed", false);
    this.governor =
        governor(
            restart,
            new RestartGovernor(Duration.ofMinutes(15), Duration.ofHours(4), 2, 6, clockTolerance));
    for (var section : top.sections("signatures")) {
      var signature = Signature.read(section);
      if (signatures.stream().anyMatch(each -> each.name().equals(signature.name()))) {
        section.problem("name", "there are two signatures " + signature.name());
      }
      signatures.add(signature);
    }
  }

  static RestartSettings shared(Section restart) {
    var maintenance = restart.section("maintenance");
    var isConfigured = restart.has("maintenance");
    var query = isConfigured ? query(maintenance) : "";
    return new RestartSettings(
        checkEvery(restart), isConfigured ? prometheus(maintenance) : null, query);
  }

  /** Reads the operators; only that of CFS if the settings name none. */
  static List<OperatorSettings> read(
      Section top, Section restart, String sessionsNamespace, Duration clockTolerance) {
    var reader = new OperatorSection(top, restart, sessionsNamespace, clockTolerance);
    var operators = new ArrayList<OperatorSettings>();
    var names = new HashSet<String>();
    var workloads = new HashSet<Workload>();
    for (var section : top.sections("operators", DEFAULT_OPERATORS)) {
      var operator = reader.operator(section);
      if (!names.add(operator.name())) {
        section.problem("name", "there are two operators " + operator.name());
      } else if (!workloads.add(operator.workload())) {
        section.problem("workload", "there are two operators for " + operator.workload());
      }
      if (operator.ownsSessions() && operators.stream().anyMatch(OperatorSettings::ownsSessions)) {
        section.problem("ownsSessions", "is already true for another operator");
      }
      operators.add(operator);
    }
    if (operators.size() > MAX_OPERATORS) {
      top.problem("operators", "must be %d or less".formatted(MAX_OPERATORS));
    }
    return List.copyOf(operators);
  }

  private OperatorSettings operator(Section section) {
    section.required("name");
    section.required("container");
    section.required("signature");
    var name = JanitorSettings.name(section, "name", "operator");
    var workload = section.section("workload");
    var signature = signature(section);
    var silence = section.section("silence");
    var ownsSessions = section.flag("ownsSessions", false);
    if (!ownsSessions) {
      section.required("namespace");
    }
    if (section.has("silence") && !ownsSessions) {
      section.problem("silence", "is for an operator with ownsSessions: true");
    }
    var limits = section.section("limits");
    var ownGovernor = governor(limits, governor);
    if (ownGovernor.cooldown().compareTo(signature.window()) < 0) {
      section.problem(
          limits.has("cooldown") ? "limits" : "signature",
          "the cooldown, %s, must not be shorter than the window of the signature %s, or old lines would count again after a restart (restart.cooldown, limits.cooldown)"
              .formatted(Durations.format(ownGovernor.cooldown()), signature.name()));
    }
    return new OperatorSettings(
        name,
        new Workload(
            workload.parsed("kind", Workload.Kind.DEPLOYMENT, Workload.Kind::of),
            JanitorSettings.name(section, "namespace", sessionsNamespace),
            JanitorSettings.name(workload, "name", name)),
        JanitorSettings.name(section, "container", "operator"),
        signature,
        ownsSessions,
        section.flag("armed", true) && armed && signature.remedy() == Signature.Remedy.RESTART,
        silenceAfter(silence, signature.window()),
        silence.flag("armed", false),
        ownGovernor);
  }

  private Signature signature(Section section) {
    var fallback = Signature.shipped("cfs-1.3");
    var found = section.parsed("signature", fallback, name -> Signature.named(name, signatures));
    return found.with(
        section.integer("failureThreshold", found.failureThreshold(), 2, 1_000),
        section.positive("window", found.window()));
  }

  private static Duration checkEvery(Section restart) {
    var every = restart.duration("checkEvery", Duration.ofSeconds(30));
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      restart.problem("checkEvery", "must be 1s or more");
    } else if (every.compareTo(MAX_CHECK_EVERY) > 0) {
      restart.problem("checkEvery", "must be 2m or less: the alerts assume it");
    }
    return every;
  }

  private static Duration silenceAfter(Section silence, Duration window) {
    var after = silence.positive("after", Duration.ofMinutes(10));
    if (!silence.has("after")) {
      return after.compareTo(window) < 0 ? window : after;
    }
    if (after.compareTo(window) < 0) {
      silence.problem("after", "must not be shorter than the window of the signature");
    }
    return after;
  }

  private static RestEndpoint prometheus(Section section) {
    section.required("prometheus");
    return JanitorSettings.endpoint(section, "prometheus", URI.create("http://prometheus"));
  }

  private static String query(Section section) {
    var query = section.required("query");
    if (query.isBlank() && section.has("query")) {
      section.problem("query", "must not be empty");
    }
    return query;
  }

  private static RestartGovernor governor(Section section, RestartGovernor fallback) {
    var cooldown = section.positive("cooldown", fallback.cooldown());
    var longestCooldown = section.positive("longestCooldown", fallback.longestCooldown());
    if (longestCooldown.compareTo(cooldown) < 0) {
      section.problem("longestCooldown", "must not be shorter than cooldown");
    }
    return new RestartGovernor(
        cooldown,
        longestCooldown,
        section.integer("perHour", fallback.perHour(), 1, 60),
        section.integer("perDay", fallback.perDay(), 1, 24),
        fallback.clockTolerance());
  }
}
