package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.Wish;
import dev.shipshape.janitor.session.Session.Mark;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads a session from its custom resource, where the state is in {@code spec.status.session}. */
final class CustomResource {
  private CustomResource() {}

  static Session read(JsonNode resource) {
    var metadata = resource.path("metadata");
    var state = new SessionState(resource.path("spec").path("status"));
    var completed = state.time("completionTime");
    var times =
        new Times(
            state.time(metadata, "creationTimestamp"),
            state.time("startTime"),
            completed,
            completed == null ? lastWritten(metadata, state) : null);
    state.mark(Mark.KEEP, Wish.isMade(metadata.path("annotations").path("shipshape.dev/keep")));
    state.mark(Mark.LEAVING, SessionState.text(metadata, "deletionTimestamp") != null);
    return new Session(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        SessionState.text(metadata, "uid"),
        SessionState.text(metadata, "resourceVersion"),
        state.state(),
        times,
        state.job(),
        state.marks());
  }

  private static @Nullable Instant lastWritten(JsonNode metadata, SessionState state) {
    Instant last = null;
    for (var writer : metadata.path("managedFields")) {
      var time = state.time(writer, "time");
      if (time != null && (last == null || time.isAfter(last))) {
        last = time;
      }
    }
    return last;
  }
}
