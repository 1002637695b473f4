package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.time.Instant;

/** How the removal of a Job which the operator had leaked came out. */
public record JobRemoval(String run, LeakedJob job, Outcome outcome, Duration took) {

  /** The record of it. */
  String line(Instant now) {
    var line =
        JsonNodeFactory.instance
            .objectNode()
            .put("time", now.toString())
            .put("event", "leaked-job-removal")
            .put("run", run)
            .put("object", job.reference())
            .put("uid", job.uid())
            .put("session", job.namespace() + "/" + job.session())
            .put("ageSeconds", job.age().toSeconds())
            .put("rule", "leaked-job")
            .put("result", result())
            .put("seconds", took.toMillis() / 1000.0);
    if (!outcome.detail().isEmpty()) {
      line.put("detail", outcome.detail());
    }
    return line.toString();
  }

  private String result() {
    return switch (outcome) {
      case Outcome.Gone _, Outcome.FoundGone _ -> "removed";
      default -> outcome.word();
    };
  }
}
