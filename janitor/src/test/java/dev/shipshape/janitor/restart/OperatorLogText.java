package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes a log as the CFS operator does. */
public final class OperatorLogText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  /** How the quotes in an answer's body appear, by how it was printed. */
  public enum Quotes {
    TWICE("\\\\\""),
    ONCE("\\\""),
    PLAIN("\"");

    private final String text;

    Quotes(String text) {
      this.text = text;
    }
  }

  private final boolean later;
  private final Quotes quotes;

  /**
   * @param later whether process and thread ids are printed too
   */
  public OperatorLogText(boolean later, Quotes quotes) {
    this.later = later;
    this.quotes = quotes;
  }

  /** The whole of one failure: message, traceback, each with the same answer. */
  public String failure(Instant time, String id) {
    return message(time, id) + traceback(id) + "\n";
  }

  public String message(Instant time, String id) {
    return line(
            time,
            "ERROR  ",
            "cray.cfs.operator",
            "Capture stream cfsv1_job_informer encountered an exception: (500)")
        + answer(id);
  }

  public String traceback(String id) {
    return """
    Traceback (most recent call last):
      File "/usr/lib/python3.8/site-packages/cray/cfs/operator/__main__.py", line 77, in capture
        for event in stream:
      File "/usr/lib/python3.8/site-packages/kubernetes/client/rest.py", line 222, in request
        raise ApiException(http_resp=r)
    kubernetes.client.rest.ApiException: (500)
    """
        + answer(id);
  }

  /** What the watch of Jobs brought. */
  public String event(Instant time, String type) {
    return event(time, type, "Job=cfs-1");
  }

  /** What the watch of sessions brought, in a thread of its own. */
  public String sessionEvent(Instant time, String type) {
    return event(time, type, "ConfigFrameworkSession=batcher-1");
  }

  private String event(Instant time, String type, String object) {
    return line(
        time,
        "INFO   ",
        "cray.cfs.operator.base_controller",
        "EVENT: %s %s (version=38081900)".formatted(type, object));
  }

  private String answer(String id) {
    var q = quotes.text;
    return """
    Reason: Internal Server Error
    HTTP response headers: HTTPHeaderDict({'Audit-Id': '%s', 'Content-Type': 'application/json', 'Content-Length': '186'})
    HTTP response body: b'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"resourceVersion: Invalid value: %sNone%s: strconv.ParseUint: parsing %sNone%s: invalid syntax","code":500}\\n'

    """
        .formatted(id, q, q, q, q);
  }

  private String line(Instant time, String level, String logger, String message) {
    var ids = later ? "7490 - 140576439425920 - " : "";
    return "%s - %s%s - %s - %s\n".formatted(TIME.format(time), ids, level, logger, message);
  }
}
