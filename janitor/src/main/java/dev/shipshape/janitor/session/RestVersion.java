package dev.shipshape.janitor.session;

/** The versions of the CFS service that are alike enough to share a client. */
public enum RestVersion {
  /** Fields in camelCase; a list in one piece, and 400 if that would be too large. */
  V2("v2", "startTime", "completionTime"),
  /** Fields in snake_case; a list in pages. */
  V3("v3", "start_time", "completion_time");

  final String path;
  final String startTime;
  final String completionTime;

  RestVersion(String path, String startTime, String completionTime) {
    this.path = path;
    this.startTime = startTime;
    this.completionTime = completionTime;
  }
}
