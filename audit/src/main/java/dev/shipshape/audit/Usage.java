package dev.shipshape.audit;

import org.HdrHistogram.Histogram;

/** What somebody asked of the API server. */
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

  /** Writes of which the log does not tell whether they changed anything. */
  long unjudged() {
    return unjudged;
  }

  /** Below which this percentage of the latencies is, in microseconds; 0 if there is none. */
  long latency(double percentile) {
    return latencies.getValueAtPercentile(percentile);
  }
}
