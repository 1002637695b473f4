package dev.shipshape.audit;

import org.HdrHistogram.Histogram;

/** The requests of one actor, or for one object. */
final class Usage {
  private final Histogram latencies = new Histogram(1);
  private long requests;
  private long bytes;
  private long writes;
  private long noOps;
  private long unjudged;

  void add(AuditEvent event, boolean noOp) {
    requests++;
    bytes += event.size();
    if (event.mutates()) {
      writes++;
      unjudged += event.succeeded() && event.version().isEmpty() && changes(event) ? 1 : 0;
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

  /** Of the lines in the log. */
  long bytes() {
    return bytes;
  }

  long writes() {
    return writes;
  }

  long noOps() {
    return noOps;
  }

  private static boolean changes(AuditEvent event) {
    return event.verb().equals("update") || event.verb().equals("patch");
  }

  /** Writes without the bodies that show whether they changed anything. */
  long unjudged() {
    return unjudged;
  }

  /** Returns a percentile of the latencies, in microseconds; 0 if there are none. */
  long latency(double percentile) {
    return latencies.getValueAtPercentile(percentile);
  }
}
