package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One planned deletion and its result.
 *
 * @param age of the session, by the server's clock
 */
public record Deletion(Session session, Duration age, DeleteResult result) {

  static Deletion planned(Session session, Duration age) {
    return new Deletion(session, age, new DeleteResult(Status.PLANNED));
  }

  Deletion with(DeleteResult result) {
    return new Deletion(session, age, result);
  }

  @JsonValue
  Map<String, @Nullable Object> fields() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("session", session.reference());
    fields.put("uid", session.uid());
    fields.put("ageSeconds", age.toSeconds());
    fields.put("result", result.status().word());
    fields.put("detail", result.detail());
    return fields;
  }
}
