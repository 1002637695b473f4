package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.SessionStats;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.service.SettingsReader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PruneMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Optional<Instant> leading = Optional.of(Instant.parse("2026-11-21T20:07:00Z"));
  private final JanitorMetrics metrics = new JanitorMetrics(registry, () -> leading);

  @BeforeEach
  void register() throws Exception {
    var settings =
        SettingsReader.parse(
            "janitor.yaml",
            """
            apiVersion: shipshape.dev/v1
            prune: {schedule: "0 0/15 * * * ?", blackout: [{from: "22:00", to: "06:00"}]}
            """,
            JanitorSettings::from);
    metrics.registerDue(after -> settings.prune().schedule().next(1, after).stream().findFirst());
  }

  @Test
  void aRunIsDueByTheScheduleSinceThisReplicaLeads() {
    assertThat(due()).isEqualTo(Instant.parse("2026-11-21T20:15:00Z"));
  }

  @Test
  void theSessionsOfAFormerLeaderAreNotServedOn() {
    metrics.recordStats(new SessionStats(7, 7, Map.of(), Map.of(SessionStats.State.COMPLETE, 7)));
    assertThat(complete()).isEqualTo(7);

    leading = Optional.empty();
    assertThat(complete()).isZero();

    metrics.beginTerm();
    leading = Optional.of(Instant.parse("2026-11-22T20:07:00Z"));
    assertThat(complete()).as("in its next term").isZero();
  }

  @Test
  void nothingIsDueOfOneThatDoesNotLead() {
    leading = Optional.empty();

    assertThat(due()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void afterARunThatEndedWellTheNextOneIsDueThatNoBlackoutHoldsBack() {
    end(RunReport.Ending.REPORTED, "21:30:20");
    assertThat(due()).isEqualTo(at("21:45:00"));

    end(RunReport.Ending.REPORTED, "21:45:20");
    assertThat(due()).isEqualTo(Instant.parse("2026-11-22T06:00:00Z"));
  }

  @Test
  void aRunThatDidNotEndWellLeavesItDue() {
    end(RunReport.Ending.REPORTED, "20:15:20");
    end(RunReport.Ending.INTERRUPTED, "20:30:20");

    assertThat(due()).isEqualTo(at("20:30:00"));
  }

  private void end(RunReport.Ending ending, String time) {
    var report = report(ending);
    metrics.recordRun(report);
    metrics.recordResults(report, at(time));
  }

  private Instant due() {
    var gauge = registry.get("shipshape.janitor.prune.due.timestamp.seconds").gauge();
    return Instant.ofEpochSecond((long) gauge.value());
  }

  private double complete() {
    return registry.get("shipshape.janitor.sessions").tag("state", "complete").gauge().value();
  }

  private static RunReport report(RunReport.Ending ending) {
    return TestSessions.report(ending, List.of());
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-21T" + time + "Z");
  }
}
