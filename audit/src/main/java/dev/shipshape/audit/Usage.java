package dev.shipshape.audit;

import org.HdrHistogram.Histogram;

/** The requests of one actor, or for one object. */
final class Usage {
  private final Histogram latencies = new Histogram(1);
  private long requests;
  private long bytes;
  private long writes;
  private long noOps;
  private long received;
  private long unjudged;

  void add(AuditEvent event, boolean noOp, long latest) {
    requests++;
    bytes += event.size();
    if (event.mutates()) {
      writes++;
      received += event.stage() == Stage.RequestReceived ? 1 : 0;
      unjudged += changes(event) && isUnjudged(event, latest) ? 1 : 0;
    }
    if (noOp) {
      noOps++;
    }
    if (event.isShort()) {
      latencies.recordValue(event.latency());
    }
  }

  long requests() {
    return requests;
  }

  private static boolean isUnjudged(AuditEvent event, long latest) {
    return event.isUnanswered(latest) || (event.succeeded() && event.version().isEmpty());
  }

  private static boolean changes(AuditEvent event) {
    return !event.dryRun() && (event.verb().equals("update") || event.verb().equals("patch"));
  }

  /**
   * @param total the requests of all
   */
  Top.Row row(String key, long total) {
    return new Top.Row(
        key,
        requests,
        bytes,
        (double) requests / total,
        latencies.getValueAtPercentile(50),
        latencies.getValueAtPercentile(99),
        writes,
        noOps,
        received == writes ? writes : unjudged);
  }
}
