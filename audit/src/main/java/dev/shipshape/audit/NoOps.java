package dev.shipshape.audit;

/**
 * Finds writes that changed nothing: their response has a resourceVersion that the object had
 * before the request came. Add events in the order of their arrival, or of their versions.
 */
final class NoOps {
  private static final int OBJECTS = 100_000;

  private record Seen(String version, long since) {}

  private final Bounded<String, Seen> versions = new Bounded<>(OBJECTS);

  boolean isNoOp(AuditEvent event) {
    if (event.gone()
        || event.version().isEmpty()
        || event.uid().isEmpty()
        || !event.succeeded()
        || event.dryRun()) {
      return false;
    }
    var seen = versions.get(event.uid());
    if (seen == null || !seen.version().equals(event.version())) {
      versions.put(event.uid(), new Seen(event.version(), event.staged()));
    }
    var writes = event.verb().equals("update") || event.verb().equals("patch");
    // A read that ends after this write began may already show its result.
    return writes
        && (event.version().equals(event.sentVersion())
            || (seen != null
                && seen.version().equals(event.version())
                && seen.since() < event.received()));
  }
}
