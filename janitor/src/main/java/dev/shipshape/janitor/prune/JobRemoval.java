package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;

/**
 * That a Job was removed which the operator had leaked, or that it was tried.
 *
 * @param job with its namespace
 * @param session whose it was
 * @param code what the API server answered
 * @param detail in its words; may be empty
 */
public record JobRemoval(String job, String uid, String session, int code, String detail) {

  /** The record of it. */
  String line(Instant now) {
    var line =
        JsonNodeFactory.instance
            .objectNode()
            .put("time", now.toString())
            .put("event", "leaked-job-removal")
            .put("object", "job " + job)
            .put("uid", uid)
            .put("session", session)
            .put("rule", "leaked-job")
            .put("result", code < 300 ? "removed" : "failed")
            .put("code", code);
    if (!detail.isEmpty()) {
      line.put("detail", detail);
    }
    return line.toString();
  }
}
