package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.restart.OperatorMonitor;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The operator's check as a janitor has it, without the election. */
final class TestOperatorJob implements AutoCloseable {
  private final OperatorMonitor monitor;
  private final OperatorReporter reporter;

  private final SimpleMeterRegistry registry;

  private TestOperatorJob(
      OperatorMonitor monitor, OperatorReporter reporter, SimpleMeterRegistry registry) {
    this.monitor = monitor;
    this.reporter = reporter;
    this.registry = registry;
  }

  OperatorReport check() {
    try {
      var report = monitor.check();
      reporter.report(report);
      return report;
    } catch (RuntimeException e) {
      reporter.reportFailedCheck();
      throw e;
    }
  }

  void beginTerm() {
    monitor.beginTerm(List.of());
    reporter.beginTerm();
  }

  /** How many checks came to that. */
  double checks(String diagnosis) {
    var name = "shipshape.janitor.operator.checks";
    return registry.get(name).tag("diagnosis", diagnosis).counter().count();
  }

  /** There is nothing to close by now, but for those who hold it in a try. */
  @Override
  public void close() {}

  /** Armed, with more fields for each section. */
  static JanitorSettings settings(String namespace, String operator, String restart, String prune)
      throws BadSettings {
    return SettingsReader.parse(
        "janitor.yaml",
        """
        apiVersion: shipshape.dev/v1
        sessions: {namespace: %1$s, source: custom-resources}
        prune: {%4$s}
        operators: [%2$s]
        restart: {%3$s}
        """
            .formatted(
                namespace,
                TestJanitors.operator(namespace, operator),
                restart.contains("armed: ") ? restart : "armed: true, " + restart,
                prune.isEmpty() ? "clockTolerance: 1h" : prune),
        JanitorSettings::from);
  }

  static TestOperatorJob of(
      JanitorSettings settings, KubernetesClient client, InstantSource clock) {
    return of(settings, client, clock, _ -> {});
  }

  /**
   * @param records takes the audit lines
   */
  static TestOperatorJob of(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      Consumer<String> records) {
    var stop = new CancellationToken(() -> true);
    var sessions = settings.sessions(client);
    var audit = new AuditLog(records, clock);
    var pruner = settings.pruner(client, sessions, null, clock, audit, stop);
    Runnable prune =
        () -> {
          var _ = pruner.run(settings.prune().armed());
        };
    return of(settings, client, clock, prune, records);
  }

  static TestOperatorJob of(
      JanitorSettings settings, KubernetesClient client, InstantSource clock, Runnable prune) {
    return of(settings, client, clock, prune, _ -> {});
  }

  private static TestOperatorJob of(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      Runnable prune,
      Consumer<String> records) {
    var operator = settings.operators().getFirst();
    var registry = new SimpleMeterRegistry();
    var metrics = new JanitorMetrics(registry, () -> Optional.of(Instant.EPOCH));
    var events = new EventWriter(client, operator.workload(), clock);
    var monitor =
        new OperatorMonitor(
            operator,
            settings.restart(),
            client,
            settings.sessions(client),
            new AuditLog(records, clock),
            prune,
            new CancellationToken(() -> true),
            clock);
    metrics.register(operator.name());
    var status = publisher(client, operator.workload().namespace());
    var reporter = new OperatorReporter(operator.name(), metrics, events, status);
    return new TestOperatorJob(monitor, reporter, registry);
  }

  /** One that publishes beside the operator. */
  static StatusPublisher publisher(KubernetesClient client, String namespace) {
    var nothing = new JanitorStatus(true, true, null, null, List.of());
    return new StatusPublisher(client, namespace, nothing, () -> true);
  }
}
