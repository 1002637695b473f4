package dev.shipshape.janitor;

import dev.shipshape.janitor.event.KubernetesEvents;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.operator.OperatorReport;
import dev.shipshape.janitor.operator.PruneFirst;
import dev.shipshape.janitor.pace.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;

/** The operator's check as a janitor has it, without the election. */
final class TestCare implements AutoCloseable {
  private final OperatorCare care;
  private final KubernetesEvents events;

  private final SimpleMeterRegistry registry;

  private TestCare(OperatorCare care, KubernetesEvents events, SimpleMeterRegistry registry) {
    this.care = care;
    this.events = events;
    this.registry = registry;
  }

  OperatorReport check() {
    return care.check();
  }

  /** How many checks came to that. */
  double checks(String diagnosis) {
    var name = "shipshape.janitor.operator.checks";
    return registry.get(name).tag("diagnosis", diagnosis).counter().count();
  }

  @Override
  public void close() {
    events.close();
  }

  /** Armed, with more fields for each section. */
  static JanitorSettings settings(
      String namespace, Path log, String operator, String restart, String prune)
      throws BadSettings {
    return SettingsReader.parse(
        "janitor.yaml",
        """
        apiVersion: shipshape.dev/v1
        sessions: {namespace: %1$s, source: custom-resources}
        prune: {%5$s}
        operator: {namespace: %1$s, logFile: %2$s, %3$s}
        restart: {armed: true, %4$s}
        """
            .formatted(
                namespace, log, operator, restart, prune.isEmpty() ? "clockTolerance: 1h" : prune),
        JanitorSettings::from);
  }

  static TestCare of(JanitorSettings settings, KubernetesClient client, InstantSource clock) {
    var stop = new CancellationToken(() -> true);
    var sessions = ManualPrune.sessions(settings, client, clock);
    var audit = new AuditLog(_ -> {}, clock);
    var pruner = ManualPrune.pruner(settings, client, sessions, clock, audit, stop);
    var armed = settings.prune().armed();
    var wait = settings.operator().waitForPruned();
    return of(
        settings,
        client,
        clock,
        new PruneFirst(armed, () -> pruner.run(armed).awaitSessions(wait)));
  }

  static TestCare of(
      JanitorSettings settings,
      KubernetesClient client,
      InstantSource clock,
      PruneFirst pruneFirst) {
    var stop = new CancellationToken(() -> true);
    var api = new KubernetesApi(client);
    var sessions = ManualPrune.sessions(settings, client, clock);
    var registry = new SimpleMeterRegistry();
    var metrics = new OperatorMetrics(registry, () -> true);
    var events = new KubernetesEvents(api, "test", clock, System::nanoTime, metrics::event);
    return new TestCare(
        new OperatorCare(settings, api, sessions, pruneFirst, events, stop, clock, metrics),
        events,
        registry);
  }
}
