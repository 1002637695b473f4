package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.session.Session.Mark;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a session from its custom resource, where the state is in {@code spec.status.session}. */
final class CustomResource {
  private final JsonNode resource;
  private final Set<Mark> marks = EnumSet.noneOf(Mark.class);

  private CustomResource(JsonNode resource) {
    this.resource = resource;
  }

  static Session read(JsonNode resource) {
    return new CustomResource(resource).session();
  }

  private Session session() {
    var metadata = resource.path("metadata");
    var status = resource.path("spec").path("status");
    var state = status.path("session");
    var times =
        new Times(
            time(metadata, "creationTimestamp"),
            time(state, "startTime"),
            time(state, "completionTime"));
    if (metadata.path("annotations").path("shipshape.dev/keep").asText().equals("true")) {
      marks.add(Mark.KEEP);
    }
    if (!metadata.path("deletionTimestamp").asText("").isEmpty()) {
      marks.add(Mark.LEAVING);
    }
    for (var artifact : status.path("artifacts")) {
      if (text(artifact, "result_id") != null) {
        marks.add(Mark.IMAGE_RESULT);
      }
    }
    return new Session(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        state.path("status").asText(""),
        times,
        text(state, "job"),
        marks);
  }

  private @Nullable Instant time(JsonNode parent, String field) {
    var text = text(parent, field);
    try {
      return text == null ? null : Times.parse(text);
    } catch (DateTimeException e) {
      marks.add(Mark.UNREADABLE_TIME);
      return null;
    }
  }

  /** Absent, null and empty are the same to CFS. */
  private static @Nullable String text(JsonNode parent, String field) {
    var text = parent.path(field).asText("");
    return text.isEmpty() ? null : text;
  }
}
