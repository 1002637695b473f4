package dev.shipshape.janitor;

import dev.shipshape.janitor.restart.OperatorMonitor;
import dev.shipshape.janitor.restart.OperatorReport;
import java.time.InstantSource;

/** The janitor's checks of the operator: each counted and told. */
record OperatorJob(
    OperatorMonitor monitor, OperatorMetrics metrics, EventReporter events, InstantSource clock) {

  /** One check. It restarts only where armed. */
  OperatorReport check() {
    try {
      var report = monitor.check();
      metrics.checked(report, clock.instant());
      events.checked(report);
      return report;
    } catch (RuntimeException | OutOfMemoryError e) {
      metrics.brokenOff();
      throw e;
    }
  }
}
