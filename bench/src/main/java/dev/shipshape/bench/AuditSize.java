package dev.shipshape.bench;

/**
 * How much of audit logs is read.
 *
 * @param bytes of the logs that all read
 * @param jqBytes of the part that jq reads, as it is slow
 * @param largeBytes of the logs by which memory is measured again; 0 for none
 * @param rounds of which the medians are taken
 */
record AuditSize(long bytes, long jqBytes, long largeBytes, int rounds) {
  static AuditSize full(long bytes) {
    return new AuditSize(bytes, 100_000_000, 10 * bytes, 5);
  }

  static AuditSize quick(long bytes) {
    return new AuditSize(bytes, 25_000_000, 0, 3);
  }
}
