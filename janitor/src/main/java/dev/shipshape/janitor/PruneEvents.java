package dev.shipshape.janitor;

import dev.shipshape.janitor.event.KubernetesEvents;
import dev.shipshape.janitor.event.Notice;
import dev.shipshape.janitor.event.Subject;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.operator.OperatorSettings;
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

  private final KubernetesEvents events;
  private final KubernetesApi api;
  private final OperatorSettings operator;

  PruneEvents(KubernetesEvents events, KubernetesApi api, OperatorSettings operator) {
    this.events = events;
    this.api = api;
    this.operator = operator;
  }

  void tell(PruneReport report) {
    switch (report.ending()) {
      case REPORTED -> {}
      case STOPPED ->
          report.plan().stop().ifPresent(stop -> tell(true, "PruneStopped", stop.message()));
      case DONE, INTERRUPTED -> tellDone(report);
    }
  }

  void tellFailed(String message) {
    tell(true, "PruneFailed", message);
  }

  private void tellDone(PruneReport report) {
    var counts = new TreeMap<String, Integer>();
    report
        .deletions()
        .forEach(each -> counts.merge(each.result().status().word(), 1, Integer::sum));
    var good = !counts.containsKey("failed") && !counts.containsKey("remaining");
    if (good && !counts.containsKey("gone")) {
      return;
    }
    tell(
        !good,
        good ? "SessionsPruned" : "PruneIncomplete",
        "run %s, of %d sessions: %s"
            .formatted(report.run(), report.plan().stats().total(), counts));
  }

  private void tell(boolean warning, String reason, String note) {
    events.publish(deployment(), new Notice(warning, reason, ACTION, note));
  }

  /** Where people look for Events; by the uid kubectl finds them. */
  private Subject deployment() {
    var uid = "";
    try {
      uid =
          api.find(operator.deploymentPath())
              .map(found -> found.at("/metadata/uid").asText())
              .orElse("");
    } catch (ApiFailure e) {
      logger.debug("prune: the Event goes without the Deployment's uid: {}", e.getMessage());
    }
    return new Subject("apps/v1", "Deployment", operator.namespace(), operator.deployment(), uid);
  }
}
