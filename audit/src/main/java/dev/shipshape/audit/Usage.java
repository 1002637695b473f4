package dev.shipshape.audit;

/** What somebody asked of the API server. */
final class Usage {
  private final Latencies latencies = new Latencies();
  private long requests;
  private long bytes;
  private long writes;
  private long noOps;

  void add(AuditEvent event, boolean noOp) {
    requests++;
    bytes += event.size();
    if (event.mutates()) {
      writes++;
    }
    if (noOp) {
      noOps++;
    }
    if (event.isShort()) {
      latencies.add(event.latency());
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

  Latencies latencies() {
    return latencies;
  }
}
