package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.Answer;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.Patience;
import dev.shipshape.janitor.kubernetes.Wish;
import dev.shipshape.janitor.pace.Backoff;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TimeLeft;
import dev.shipshape.janitor.session.Session.Mark;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions of the CFS service. It knows neither uids nor preconditions, so a session is told by
 * name, start time and Job, and is read again directly before it is deleted. Filters and the bulk
 * deletion are never used: the service maps an age that it cannot read to zero.
 */
public final class RestSessions implements Sessions {
  private static final int PAGE = 500;

  /** Source: {@code get_session_v3} of the service, {@code title="Session not found."}. */
  private static final String NO_SESSION = "Session not found";

  private static final Duration RELIST = Duration.ofSeconds(5);
  private static final Duration LONGEST_RELIST = Duration.ofSeconds(30);

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
    list(listener, new Patience(stop));
  }

  private void list(Listener listener, Patience patience) {
    switch (version) {
      case V2 -> {
        var answer = page("", patience);
        begin(listener, answer);
        items(answer).forEach(session -> listener.each(read(session)));
      }
      case V3 -> {
        var answer = page("?limit=" + PAGE, patience);
        begin(listener, answer);
        items(answer).forEach(session -> listener.each(read(session)));
        // Names are sorted, so that a page is right even where others delete meanwhile.
        var after = after(answer);
        while (after.isPresent()) {
          patience.requireGoingOn();
          after = pageAfter(after.get(), listener, patience);
        }
      }
    }
  }

  /** Returns what the next page begins after. */
  private Optional<String> pageAfter(String last, Listener listener, Patience patience) {
    var query = "?limit=" + PAGE + "&after_id=" + encode(last);
    var answer = page(query, patience);
    for (var session : items(answer)) {
      var found = read(session);
      requireAfter(last, found.name(), query);
      listener.each(found);
    }
    var next = after(answer);
    next.ifPresent(name -> requireAfter(last, name, query));
    return next;
  }

  /** A gateway that forgets the query would have the first page read for ever. */
  private void requireAfter(String last, String name, String query) {
    if (name.compareTo(last) <= 0) {
      throw ApiFailure.unsuitable(
          "GET /%s/sessions%s was answered with %s, which is not after it: the list would never end; does something before the CFS service drop the query?"
              .formatted(version.path(), query, name));
    }
  }

  @Override
  public Optional<Session> reread(Session session) {
    return found(session, service.get(path(session)));
  }

  private Optional<Session> found(Session session, Answer answer) {
    if (saysThereIsNone(answer)) {
      return Optional.empty();
    }
    return Optional.of(read(answer.requireSuccess("GET " + path(session)).body()));
  }

  @Override
  public DeleteAnswer delete(Session session) {
    final RestService.Reading reading;
    final Optional<Session> now;
    try {
      reading = service.read(path(session));
      now = found(session, reading.answer());
    } catch (ApiFailure e) {
      return DeleteAnswer.unread(e);
    }
    if (now.isEmpty()) {
      return new DeleteAnswer.NotFound();
    }
    // In the least thing, its tags included: whoever asked then judges it afresh.
    if (!now.get().equals(session)) {
      return new DeleteAnswer.Conflict();
    }
    var sent = service.delete(path(session), reading);
    if (sent.isEmpty()) {
      return new DeleteAnswer.NotSent("the token expired after the session was read", null);
    }
    var answer = sent.get();
    if (saysThereIsNone(answer)) {
      return new DeleteAnswer.NotFound();
    }
    return switch (answer.code()) {
      case 200, 204 -> new DeleteAnswer.Gone();
      default -> DeleteAnswer.denied(answer);
    };
  }

  @Override
  public Map<Session, String> awaitGone(Collection<Session> sessions, Duration deadline) {
    var end = System.nanoTime() + deadline.toNanos();
    var backoff = new Backoff(RELIST, LONGEST_RELIST);
    var names = new HashMap<String, Session>();
    sessions.forEach(session -> names.put(session.name(), session));
    var remaining = new HashMap<Session, String>();
    while (true) {
      var pause = RELIST;
      try {
        var found = stillListed(names);
        remaining.clear();
        remaining.putAll(found);
        backoff.reset();
      } catch (ApiFailure e) {
        var unknown = "could not be looked for: " + e.getMessage();
        var known = remaining.isEmpty() ? sessions : List.copyOf(remaining.keySet());
        known.forEach(session -> remaining.put(session, unknown));
        pause = backoff.next(e.retryAfter());
      }
      var left = TimeLeft.until(end);
      if (remaining.isEmpty()
          || left.isZero()
          || !stop.pause(pause.compareTo(left) < 0 ? pause : left)) {
        return remaining;
      }
    }
  }

  private Map<Session, String> stillListed(Map<String, Session> deleted) {
    var listed = new HashMap<Session, String>();
    list(
        new Listener() {
          @Override
          public void begin(Instant server) {}

          @Override
          public void each(Session found) {
            if (stop.isStopped()) {
              throw ApiFailure.unsuitable("told to stop");
            }
            var same = deleted.get(found.name());
            if (same != null && same.isSameAs(found)) {
              listed.put(same, "the service still lists it");
            }
          }
        },
        Patience.none());
    return listed;
  }

  /**
   * A gateway that has lost its way to the service says 404 as well, of sessions that are there.
   */
  private static boolean saysThereIsNone(Answer answer) {
    return answer.code() == 404 && answer.body().path("title").asText().startsWith(NO_SESSION);
  }

  private Answer page(String query, Patience patience) {
    var path = "/" + version.path() + "/sessions" + query;
    return patience.with(() -> service.get(path).requireSuccess("GET " + path));
  }

  private static void begin(Listener listener, Answer answer) {
    listener.begin(answer.requireDate("the CFS service"));
  }

  /** What is no list must not pass for an empty one: all sessions would count as gone. */
  private JsonNode items(Answer answer) {
    var items = version == RestVersion.V2 ? answer.body() : answer.body().path("sessions");
    if (!items.isArray()) {
      throw unlike("a list of sessions");
    }
    return items;
  }

  private Optional<String> after(Answer answer) {
    var next = answer.body().path("next");
    if (next.isMissingNode() || next.isNull()) {
      return Optional.empty();
    }
    var after = SessionState.text(next, "after_id");
    if (after == null) {
      throw unlike("a page that says which one is next");
    }
    return Optional.of(after);
  }

  private ApiFailure unlike(String expected) {
    return ApiFailure.unsuitable(
        "the CFS service answered a request to /%s/sessions with success, but not with %s: is sessions.rest.address right?"
            .formatted(version.path(), expected));
  }

  private Session read(JsonNode node) {
    var name = SessionState.text(node, "name");
    if (name == null) {
      throw unlike("a session that has a name");
    }
    var state = new SessionState(node.path("status"));
    var times =
        new Times(
            null, state.time(version.startTime()), state.time(version.completionTime()), null);
    state.mark(Mark.KEEP, Wish.isMade(node.path("tags").path("shipshape.dev/keep")));
    return new Session(
        namespace, name, null, null, state.state(), times, state.job(), state.marks());
  }

  private String path(Session session) {
    return "/" + version.path() + "/sessions/" + encode(session.name());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
