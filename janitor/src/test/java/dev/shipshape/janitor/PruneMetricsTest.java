package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.service.SettingsReader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PruneMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final JanitorMetrics metrics = new JanitorMetrics(registry);
  private Optional<Instant> leading = Optional.of(Instant.parse("2026-11-21T20:07:00Z"));

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
    metrics.due(settings.prune().schedule(), () -> leading);
  }

  @Test
  void aRunIsDueByTheScheduleSinceThisReplicaLeads() {
    assertThat(due()).isEqualTo(Instant.parse("2026-11-21T20:15:00Z"));
  }

  @Test
  void nothingIsDueOfOneThatDoesNotLead() {
    leading = Optional.empty();

    assertThat(due()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void afterARunThatEndedWellTheNextOneIsDueThatNoBlackoutHoldsBack() {
    end(PruneReport.Ending.REPORTED, "21:30:20");
    assertThat(due()).isEqualTo(at("21:45:00"));

    end(PruneReport.Ending.REPORTED, "21:45:20");
    assertThat(due()).isEqualTo(Instant.parse("2026-11-22T06:00:00Z"));
  }

  @Test
  void aRunThatDidNotEndWellLeavesItDue() {
    end(PruneReport.Ending.REPORTED, "20:15:20");
    end(PruneReport.Ending.INTERRUPTED, "20:30:20");

    assertThat(due()).isEqualTo(at("20:30:00"));
  }

  private void end(PruneReport.Ending ending, String time) {
    var report = report(ending);
    metrics.prune().ran(report);
    metrics.prune().followedUp(report, report, at(time));
  }

  private Instant due() {
    var gauge = registry.get("shipshape.janitor.prune.due.timestamp.seconds").gauge();
    return Instant.ofEpochSecond((long) gauge.value());
  }

  private static PruneReport report(PruneReport.Ending ending) {
    var plan = TestSessions.noPlan();
    return new PruneReport("run", plan, ending, List.of(), Duration.ZERO);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-21T" + time + "Z");
  }
}
