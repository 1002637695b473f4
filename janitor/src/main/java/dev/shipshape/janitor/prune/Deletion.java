package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.shipshape.janitor.prune.SessionJobs.Workload;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One planned deletion and its result.
 *
 * @param age of the session, by the server's clock
 * @param workloads the session's Jobs and pods
 * @param begun when the first request was sent, by the local clock
 * @param took from the first request until the result was known
 */
public record Deletion(
    Session session,
    Duration age,
    List<Workload> workloads,
    Instant begun,
    DeleteResult result,
    Duration took) {

  static Deletion planned(Plan.Entry entry, Instant now) {
    var result = new DeleteResult(Status.PLANNED);
    return new Deletion(entry.session(), entry.age(), List.of(), now, result, Duration.ZERO);
  }

  Deletion withResult(DeleteResult result, Instant now) {
    return new Deletion(session, age, workloads, begun, result, Duration.between(begun, now));
  }

  @JsonValue
  Map<String, @Nullable Object> fields() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("session", session.reference());
    fields.put("uid", session.uid());
    fields.put("ageSeconds", age.toSeconds());
    fields.put("result", result.status().word());
    fields.put("detail", result.detail());
    fields.put("seconds", took.toMillis() / 1000.0);
    return fields;
  }
}
