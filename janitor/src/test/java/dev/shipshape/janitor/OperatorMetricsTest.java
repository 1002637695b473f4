package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.Workload;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperatorMetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicBoolean leads = new AtomicBoolean(true);
  private final JanitorMetrics metrics =
      new JanitorMetrics(registry, () -> Optional.of(NOW).filter(_ -> leads.get()));

  @BeforeEach
  void register() {
    metrics.register("cfs");
  }

  @Test
  void everyCounterAndGaugeIsThereFromTheStart() {
    assertThat(registry.scrape())
        .contains(
            "shipshape_janitor_operator_checks_total{diagnosis=\"stuck\",operator=\"cfs\"} 0.0")
        .contains("shipshape_janitor_restarts_total{operator=\"cfs\"} 0.0")
        .contains(
            "shipshape_janitor_restart_refusals_total{operator=\"cfs\",reason=\"not-confirmed\"}"
                + " 0.0")
        .contains(
            "shipshape_janitor_restart_results_total{operator=\"cfs\",result=\"reverted\"} 0.0")
        .contains("shipshape_janitor_signals_present{kind=\"silence\",operator=\"cfs\"} 0.0");
  }

  @Test
  void whyARestartIsRefusedOrWouldBeIsShownOneReasonAtATime() {
    metrics.recordCheck(report(RestartRefusal.DAILY_BUDGET, null, null));
    assertThat(refused()).containsExactly("daily-budget");
    metrics.recordCheck(report(RestartRefusal.DAILY_BUDGET, RestartRefusal.NOT_ARMED, null));
    assertThat(refused()).containsExactly("not-armed");
    metrics.recordCheck(report(null, null, null));
    assertThat(refused()).isEmpty();
    metrics.recordCheck(report(RestartRefusal.COOLDOWN, null, null));
    leads.set(false);
    assertThat(refused()).isEmpty();
  }

  @Test
  void whoLeadsNoLongerStandsByNothingThatItSaw() {
    metrics.recordCheck(report(null, RestartRefusal.COOLDOWN, "no line"));
    assertThat(registry.scrape())
        .contains("shipshape_janitor_signals_present{kind=\"silence\",operator=\"cfs\"} 1.0");
    leads.set(false);
    assertThat(registry.scrape())
        .contains("shipshape_janitor_signals_present{kind=\"silence\",operator=\"cfs\"} 0.0");
  }

  @Test
  void refusalsAreCounted() {
    metrics.recordCheck(report(null, RestartRefusal.COOLDOWN, null));
    assertThat(registry.scrape())
        .contains(
            "shipshape_janitor_restart_refusals_total{operator=\"cfs\",reason=\"cooldown\"} 1.0");
  }

  private List<String> refused() {
    return registry
        .scrape()
        .lines()
        .filter(line -> line.startsWith("shipshape_janitor_restart_refused{"))
        .filter(line -> line.endsWith(" 1.0"))
        .map(line -> line.replaceAll(".*reason=\"(.*)\".*", "$1"))
        .toList();
  }

  private static OperatorReport report(
      @Nullable RestartRefusal governor,
      @Nullable RestartRefusal refusal,
      @Nullable String silence) {
    return new OperatorReport(
        "cfs",
        NOW,
        new Workload(Workload.Kind.DEPLOYMENT, "services", "cray-cfs-operator"),
        "cfs-1.3",
        Diagnosis.Kind.STUCK,
        "5 watch failures",
        NOW,
        silence,
        governor,
        true,
        "5 watch failures",
        refusal,
        "last started a minute ago",
        null,
        null,
        null);
  }
}
