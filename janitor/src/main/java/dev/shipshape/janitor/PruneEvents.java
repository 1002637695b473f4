package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.Events;
import dev.shipshape.janitor.prune.PruneReport;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of runs by Kubernetes Events, one for each run that deleted, failed or was stopped. They
 * name counts, never sessions or users, and live for an hour: the records are what lasts.
 */
final class PruneEvents {
  private static final Logger logger = LoggerFactory.getLogger(PruneEvents.class);
  private static final String ACTION = "Prune";

  private final Events events;

  PruneEvents(Events events) {
    this.events = events;
  }

  void tell(PruneReport report) {
    switch (report.ending()) {
      case REPORTED -> {}
      case STOPPED ->
          report
              .plan()
              .stop()
              .ifPresent(stop -> tell(Events.Type.WARNING, "PruneStopped", stop.message()));
      case DONE, INTERRUPTED -> {
        if (!report.deletions().isEmpty()) {
          tellDone(report);
        }
      }
    }
  }

  void tellFailed(String message) {
    tell(Events.Type.WARNING, "PruneFailed", message);
  }

  private void tellDone(PruneReport report) {
    var counts = new TreeMap<String, Integer>();
    report.deletions().forEach(each -> counts.merge(each.outcome().word(), 1, Integer::sum));
    var good = !counts.containsKey("failed") && !counts.containsKey("remaining");
    tell(
        good ? Events.Type.NORMAL : Events.Type.WARNING,
        good ? "SessionsPruned" : "PruneIncomplete",
        "run %s, of %d sessions: %s"
            .formatted(report.run(), report.plan().census().total(), counts));
  }

  private void tell(Events.Type type, String reason, String note) {
    try {
      events.tell(type, reason, ACTION, note);
    } catch (ApiFailure e) {
      logger.warn("prune: no Event could be written: {}", e.getMessage());
    }
  }
}
