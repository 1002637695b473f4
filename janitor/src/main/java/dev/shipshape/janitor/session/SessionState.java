package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.session.Session.Mark;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code status} with {@code session} and {@code artifacts}: the same in both stores. */
final class SessionState {
  private final JsonNode status;
  private final Set<Mark> marks = EnumSet.noneOf(Mark.class);

  SessionState(JsonNode status) {
    this.status = status;
    // A string. Absent, none and unknown prove no success either.
    mark(
        Mark.FAILED,
        state().equals("complete") && !"true".equals(text(status.path("session"), "succeeded")));
    var artifacts = status.path("artifacts");
    // Another shape than the expected one must not lead to a deletion.
    mark(Mark.IMAGE_RESULT, status.hasNonNull("artifacts") && !artifacts.isArray());
    for (var artifact : artifacts) {
      mark(
          Mark.IMAGE_RESULT,
          !artifact.isObject()
              || artifact.path("result_id").isContainerNode()
              || text(artifact, "result_id") != null);
    }
  }

  void mark(Mark mark, boolean set) {
    if (set) {
      marks.add(mark);
    }
  }

  Set<Mark> marks() {
    return marks;
  }

  String state() {
    return status.path("session").path("status").asText("");
  }

  @Nullable String job() {
    return text(status.path("session"), "job");
  }

  @Nullable Instant time(String field) {
    var session = status.path("session");
    mark(Mark.UNREADABLE_TIME, session.path(field).isContainerNode());
    return parse(text(session, field));
  }

  /** Parses a time. If that fails, marks the session and returns null. */
  @Nullable Instant parse(@Nullable String text) {
    var time = Times.parse(text);
    mark(Mark.UNREADABLE_TIME, text != null && time.isEmpty());
    return time.orElse(null);
  }

  /** Returns null also for an empty text: CFS treats absent, null and empty alike. */
  static @Nullable String text(JsonNode parent, String field) {
    var text = parent.path(field).asText("");
    return text.isEmpty() || parent.path(field).isNull() ? null : text;
  }
}
