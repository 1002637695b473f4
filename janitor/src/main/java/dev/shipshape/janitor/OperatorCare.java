package dev.shipshape.janitor;

import dev.shipshape.janitor.event.KubernetesEvents;
import dev.shipshape.janitor.evidence.WaitingSessions;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.operator.OperatorCheck;
import dev.shipshape.janitor.operator.OperatorReport;
import dev.shipshape.janitor.operator.PruneFirst;
import dev.shipshape.janitor.pace.CancellationToken;
import dev.shipshape.janitor.session.SessionStore;
import java.time.InstantSource;

/** The operator's check, with the Events and the metrics that tell of it. */
final class OperatorCare {
  private final boolean armed;
  private final InstantSource clock;
  private final OperatorMetrics metrics;
  private final OperatorCheck check;

  OperatorCare(
      JanitorSettings settings,
      KubernetesApi api,
      SessionStore sessions,
      PruneFirst pruneFirst,
      KubernetesEvents events,
      CancellationToken stop,
      InstantSource clock,
      OperatorMetrics metrics) {
    this.armed = settings.restartArmed();
    this.clock = clock;
    this.metrics = metrics;
    this.check =
        OperatorCheck.of(
            settings.operator(),
            api,
            new WaitingSessions(sessions, clock),
            pruneFirst,
            events,
            stop,
            clock);
  }

  /** One check. It restarts only where armed. */
  OperatorReport check() {
    try {
      var report = check.run(armed);
      metrics.checked(report, clock.instant());
      return report;
    } catch (RuntimeException | OutOfMemoryError e) {
      metrics.brokenOff();
      throw e;
    }
  }
}
