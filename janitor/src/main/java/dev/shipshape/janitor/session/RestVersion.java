package dev.shipshape.janitor.session;

/** The supported versions of the CFS service. */
public enum RestVersion {
  /** Fields in camelCase; no pages: a list that is too large gets 400. */
  V2("v2", "startTime", "completionTime"),
  /** Fields in snake_case; pages. */
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
