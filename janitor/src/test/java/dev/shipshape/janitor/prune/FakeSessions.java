package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.session.DeleteAnswer;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Sessions in memory, with the preconditions of a real API server; and answers that a test can put
 * in their place.
 */
final class FakeSessions implements Sessions {
  final Map<String, Session> stored = new TreeMap<>();

  /** What the next requests to delete are answered; once empty, as the server would. */
  final Deque<Supplier<DeleteAnswer>> answers = new ArrayDeque<>();

  /** Names of those that cannot be read, though listed. */
  final Set<String> unreadable = new HashSet<>();

  final List<Session> asked = new ArrayList<>();
  private final Instant server;

  FakeSessions(Instant server, Session... sessions) {
    this.server = server;
    for (var session : sessions) {
      stored.put(session.name(), session);
    }
  }

  @Override
  public void list(Listener listener) {
    listener.begin(server);
    stored.values().forEach(listener::each);
  }

  @Override
  public Optional<Session> reread(Session session) {
    if (unreadable.contains(session.name())) {
      throw ApiFailure.unsuitable("GET " + session.name() + " was answered 500");
    }
    return Optional.ofNullable(stored.get(session.name()));
  }

  @Override
  public synchronized DeleteAnswer delete(Session session) {
    asked.add(session);
    if (!answers.isEmpty()) {
      return answers.remove().get();
    }
    var found = stored.get(session.name());
    if (found == null) {
      return new DeleteAnswer.NotFound();
    }
    if (!Objects.equals(found.uid(), session.uid())
        || !Objects.equals(found.resourceVersion(), session.resourceVersion())) {
      return new DeleteAnswer.Conflict();
    }
    stored.remove(session.name());
    return new DeleteAnswer.Gone();
  }

  @Override
  public Map<Session, String> awaitGone(Collection<Session> sessions, Duration deadline) {
    var remaining = new HashMap<Session, String>();
    sessions.stream()
        .filter(session -> stored.containsKey(session.name()))
        .forEach(session -> remaining.put(session, "finalizers example.com/stuck"));
    return remaining;
  }
}
