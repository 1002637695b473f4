package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.Answer;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.Session.Mark;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Sessions of the CFS service. It knows neither uids nor preconditions, so a session is told by
 * name, start time and Job, and is read again directly before it is deleted. Filters and the bulk
 * deletion are never used: the service maps an age that it cannot read to zero.
 */
public final class RestSessions implements Sessions {
  private static final int PAGE = 500;
  private static final Duration RELIST = Duration.ofSeconds(5);

  private final RestService service;
  private final RestVersion version;
  private final String namespace;
  private final StopSignal stop;

  /**
   * @param namespace where the sessions' Jobs are
   */
  public RestSessions(RestService service, RestVersion version, String namespace, StopSignal stop) {
    this.service = service;
    this.version = version;
    this.namespace = namespace;
    this.stop = stop;
  }

  @Override
  public void list(Listener listener) {
    switch (version) {
      case V2 -> {
        var answer = page("");
        begin(listener, answer);
        answer.body().forEach(session -> listener.each(read(session)));
      }
      case V3 -> {
        var answer = page("?limit=" + PAGE);
        begin(listener, answer);
        answer.body().path("sessions").forEach(session -> listener.each(read(session)));
        // Names are sorted, so that a page is right even where others delete meanwhile.
        var after = after(answer);
        while (after.isPresent()) {
          answer = page("?limit=" + PAGE + "&after_id=" + encode(after.get()));
          answer.body().path("sessions").forEach(session -> listener.each(read(session)));
          after = after(answer);
        }
      }
    }
  }

  @Override
  public Optional<Session> reread(Session session) {
    var answer = service.get(path(session));
    if (answer.code() == 404) {
      return Optional.empty();
    }
    return Optional.of(read(answer.requireSuccess("GET " + path(session)).body()));
  }

  @Override
  public DeleteAnswer delete(Session session) {
    var now = reread(session);
    if (now.isEmpty()) {
      return new DeleteAnswer.NotFound();
    }
    // In the least thing, its tags included: whoever asked then judges it afresh.
    if (!now.get().equals(session)) {
      return new DeleteAnswer.Conflict();
    }
    var answer = service.delete(path(session));
    return switch (answer.code()) {
      case 200, 204 -> new DeleteAnswer.Gone();
      case 404 -> new DeleteAnswer.NotFound();
      case 429 -> new DeleteAnswer.Throttled(answer.retryAfter());
      default -> new DeleteAnswer.Refused(answer.code(), answer.message());
    };
  }

  @Override
  public Map<Session, String> awaitGone(Collection<Session> sessions, Duration deadline) {
    var end = System.nanoTime() + deadline.toNanos();
    var remaining = new HashMap<Session, String>();
    do {
      remaining.clear();
      var names = new HashMap<String, Session>();
      sessions.forEach(session -> names.put(session.name(), session));
      list(
          new Listener() {
            @Override
            public void begin(Instant server) {}

            @Override
            public void each(Session found) {
              var deleted = names.get(found.name());
              if (deleted != null && deleted.isSameAs(found)) {
                remaining.put(deleted, "the service still lists it");
              }
            }
          });
    } while (!remaining.isEmpty() && System.nanoTime() < end && stop.pause(RELIST));
    return remaining;
  }

  private Answer page(String query) {
    var path = "/" + version.path() + "/sessions" + query;
    return service.get(path).requireSuccess("GET " + path);
  }

  private static void begin(Listener listener, Answer answer) {
    listener.begin(
        Objects.requireNonNull(answer.date(), "the CFS service's answers carry no Date"));
  }

  private static Optional<String> after(Answer answer) {
    return Optional.ofNullable(SessionState.text(answer.body().path("next"), "after_id"));
  }

  private Session read(JsonNode node) {
    var state = new SessionState(node.path("status"));
    var times =
        new Times(null, state.time(version.startTime()), state.time(version.completionTime()));
    state.mark(Mark.KEEP, node.path("tags").path("shipshape.dev/keep").asText().equals("true"));
    return new Session(
        namespace,
        node.path("name").asText(),
        null,
        null,
        state.state(),
        times,
        state.job(),
        state.marks());
  }

  private String path(Session session) {
    return "/" + version.path() + "/sessions/" + encode(session.name());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
