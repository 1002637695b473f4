package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.session.Session.Mark;

/** Reads a session from its custom resource, where the state is in {@code spec.status.session}. */
final class CustomResource {
  private CustomResource() {}

  static Session read(JsonNode resource) {
    var metadata = resource.path("metadata");
    var state = new SessionState(resource.path("spec").path("status"));
    var times =
        new Times(
            state.time(metadata, "creationTimestamp"),
            state.time("startTime"),
            state.time("completionTime"));
    state.mark(
        Mark.KEEP, metadata.path("annotations").path("shipshape.dev/keep").asText().equals("true"));
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
}
