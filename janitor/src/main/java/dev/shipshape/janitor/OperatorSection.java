package dev.shipshape.janitor;

import dev.shipshape.janitor.restart.MaintenanceSettings;
import dev.shipshape.janitor.restart.OperatorSettings;
import dev.shipshape.janitor.restart.RestartGovernor;
import dev.shipshape.janitor.restart.Signature;
import dev.shipshape.service.Section;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the sections {@code operator} and {@code restart}, which check one another. */
final class OperatorSection {
  private static final Duration LONGEST_CHECK_EVERY = Duration.ofMinutes(2);
  private static final Duration LONGEST_WAIT_FOR_PRUNED = Duration.ofMinutes(2);

  private final Section operator;
  private final Section restart;

  OperatorSection(Section operator, Section restart) {
    this.operator = operator;
    this.restart = restart;
  }

  /**
   * @param own the settings' own signatures
   */
  OperatorSettings read(List<Signature> own, Duration clockTolerance) {
    var signature = signature(own);
    var window = signature.window();
    var governor = governor(clockTolerance);
    var silence = operator.section("silence");
    if (governor.cooldown().compareTo(window) < 0) {
      restart.problem(
          "cooldown", "must not be shorter than operator.window, or old lines would count again");
    }
    return new OperatorSettings(
        JanitorSettings.name(operator, "namespace", "services"),
        JanitorSettings.name(operator, "deployment", "cray-cfs-operator"),
        JanitorSettings.name(operator, "container", "cray-cfs-operator"),
        checkEvery(),
        signature,
        requireWaitingSession(),
        silenceAfter(silence, window),
        silence.flag("armed", false),
        governor,
        restart.has("maintenance") ? maintenance(restart.section("maintenance")) : null,
        waitForPruned());
  }

  private Signature signature(List<Signature> own) {
    var fallback = Signature.shipped("cfs-1.3");
    var found = operator.parsed("signature", fallback, name -> Signature.named(name, own));
    return found.with(
        operator.integer("repetitions", found.repetitions(), 2, 1_000),
        PruneSettings.positive(operator, "window", found.window()));
  }

  private Duration checkEvery() {
    var every = operator.duration("checkEvery", Duration.ofSeconds(30));
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      operator.problem("checkEvery", "must be 1s or more");
    } else if (every.compareTo(LONGEST_CHECK_EVERY) > 0) {
      operator.problem("checkEvery", "must be 2m or less: the alerts presume so");
    }
    return every;
  }

  private @Nullable Duration requireWaitingSession() {
    var field = "requireWaitingSession";
    return operator.has(field)
        ? PruneSettings.positive(operator, field, Duration.ofMinutes(10))
        : null;
  }

  private Duration waitForPruned() {
    var wait = PruneSettings.positive(restart, "waitForPruned", LONGEST_WAIT_FOR_PRUNED);
    if (wait.compareTo(LONGEST_WAIT_FOR_PRUNED) > 0) {
      restart.problem("waitForPruned", "must be 2m or less: a stuck operator is waiting");
    }
    return wait;
  }

  private static Duration silenceAfter(Section silence, Duration window) {
    var after = PruneSettings.positive(silence, "after", Duration.ofMinutes(10));
    if (after.compareTo(window) < 0) {
      silence.problem("after", "must not be shorter than operator.window");
    }
    return after;
  }

  private static MaintenanceSettings maintenance(Section section) {
    section.required("prometheus");
    var query = section.required("query");
    if (query.isBlank() && section.has("query")) {
      section.problem("query", "must not be empty");
    }
    var prometheus =
        section.parsed("prometheus", URI.create("http://prometheus"), JanitorSettings::address);
    if (section.has("tokenFile")) {
      JanitorSettings.requireSecure(section, "tokenFile", prometheus);
    }
    return new MaintenanceSettings(
        prometheus,
        query,
        JanitorSettings.file(section, "tokenFile"),
        JanitorSettings.file(section, "authorityFile"));
  }

  private RestartGovernor governor(Duration clockTolerance) {
    var cooldown = PruneSettings.positive(restart, "cooldown", Duration.ofMinutes(15));
    var longest = PruneSettings.positive(restart, "longestCooldown", Duration.ofHours(4));
    if (longest.compareTo(cooldown) < 0) {
      restart.problem("longestCooldown", "must not be shorter than cooldown");
    }
    return new RestartGovernor(
        cooldown,
        longest,
        restart.integer("perHour", 2, 1, 60),
        restart.integer("perDay", 6, 1, 24),
        clockTolerance);
  }
}
