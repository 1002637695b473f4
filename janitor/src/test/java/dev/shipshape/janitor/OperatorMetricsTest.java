package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.GovernorState;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartOutcome;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.SignalState;
import dev.shipshape.janitor.restart.Waiting;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OperatorMetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicBoolean leads = new AtomicBoolean(true);
  private final OperatorMetrics metrics = new OperatorMetrics(registry, leads::get);

  @Test
  void everyCounterAndGaugeIsThereFromTheStart() {
    assertThat(registry.scrape())
        .contains("shipshape_janitor_operator_checks_total{diagnosis=\"stuck\"} 0.0")
        .contains("shipshape_janitor_restarts_total{outcome=\"restarted\"} 0.0")
        .contains("shipshape_janitor_restart_refusals_total{reason=\"no-waiting-session\"} 0.0")
        .contains("shipshape_janitor_restart_aftermaths_total{result=\"reverted\"} 0.0")
        .contains("shipshape_janitor_evidence_total{kind=\"silence\"} 0.0")
        .contains("shipshape_janitor_evidence_present{kind=\"silence\"} 0.0")
        .contains("shipshape_janitor_events_total{result=\"suppressed\"} 0.0")
        .contains("shipshape_janitor_sessions_waiting 0.0")
        .contains("shipshape_janitor_sessions_waiting_longest_seconds 0.0");
    assertThat(standing()).isEqualTo("unknown");
  }

  @Test
  void oneStateOfTheGovernorStandsAtATime() {
    metrics.checked(report(GovernorState.COOLING, new SignalState.Absent()), NOW);
    assertThat(standing()).isEqualTo("cooling");
    metrics.checked(report(GovernorState.DAILY_BUDGET, new SignalState.Absent()), NOW);
    assertThat(standing()).isEqualTo("daily-budget");
    leads.set(false);
    assertThat(standing()).isEqualTo("standby");
  }

  @Test
  void evidenceCountsOnceForAsLongAsItLasts() {
    var there = new SignalState.Present("no line");
    metrics.checked(report(GovernorState.READY, there), NOW);
    metrics.checked(report(GovernorState.READY, there), NOW);
    metrics.checked(report(GovernorState.READY, new SignalState.Unknown("the log")), NOW);
    metrics.checked(report(GovernorState.READY, there), NOW);
    assertThat(registry.scrape())
        .contains("shipshape_janitor_evidence_total{kind=\"silence\"} 1.0")
        .contains("shipshape_janitor_evidence_present{kind=\"silence\"} 1.0");
    metrics.checked(report(GovernorState.READY, new SignalState.Absent()), NOW);
    metrics.checked(report(GovernorState.READY, there), NOW);
    assertThat(registry.scrape())
        .contains("shipshape_janitor_evidence_total{kind=\"silence\"} 2.0");
  }

  @Test
  void whoLeadsNoLongerStandsByNothingThatItSaw() {
    metrics.checked(report(GovernorState.READY, new SignalState.Present("no line")), NOW);
    leads.set(false);
    assertThat(registry.scrape())
        .contains("shipshape_janitor_evidence_present{kind=\"silence\"} 0.0")
        .contains("shipshape_janitor_sessions_waiting 0.0")
        .contains("shipshape_janitor_sessions_waiting_longest_seconds 0.0");
  }

  @Test
  void waitingSessionsRefusalsAndEventsAreTold() {
    metrics.checked(report(GovernorState.READY, new SignalState.Absent()), NOW);
    metrics.event(EventWriter.Result.FAILED);
    assertThat(registry.scrape())
        .contains("shipshape_janitor_sessions_waiting 3.0")
        .contains("shipshape_janitor_sessions_waiting_longest_seconds 600.0")
        .contains("shipshape_janitor_restart_refusals_total{reason=\"cooldown\"} 1.0")
        .contains("shipshape_janitor_restarts_total{outcome=\"refused\"} 1.0")
        .contains("shipshape_janitor_events_total{result=\"failed\"} 1.0");
  }

  @Test
  void aStuckOperatorWhoseLogCannotBeReadForAWhileIsDetectedOnce() {
    var stuck = new Diagnosis.Stuck("log", 5, NOW, NOW);
    metrics.checked(report(stuck), NOW);
    metrics.checked(report(new Diagnosis.Unreadable("gone")), NOW);
    metrics.checked(report(stuck), NOW);
    assertThat(registry.scrape()).contains("shipshape_janitor_detections_total 1.0");
    metrics.checked(report(new Diagnosis.Healthy()), NOW);
    metrics.checked(report(stuck), NOW);
    assertThat(registry.scrape()).contains("shipshape_janitor_detections_total 2.0");
  }

  private String standing() {
    var states =
        registry
            .scrape()
            .lines()
            .filter(line -> line.startsWith("shipshape_janitor_governor{"))
            .filter(line -> line.endsWith(" 1.0"))
            .toList();
    assertThat(states).hasSize(1);
    return states.getFirst().replaceAll(".*state=\"(.*)\".*", "$1");
  }

  private static OperatorReport report(Diagnosis diagnosis) {
    return report(diagnosis, GovernorState.READY, new SignalState.Absent());
  }

  private static OperatorReport report(GovernorState governor, SignalState silence) {
    return report(new Diagnosis.Healthy(), governor, silence);
  }

  private static OperatorReport report(
      Diagnosis diagnosis, GovernorState governor, SignalState silence) {
    return new OperatorReport(
        diagnosis,
        silence,
        Optional.of(new Waiting(NOW, 3, Duration.ofMinutes(10))),
        new RestartOutcome.Refused(RestartRefusal.COOLDOWN, "last started a minute ago"),
        Optional.empty(),
        governor);
  }
}
