package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.SessionStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Sessions in memory, with the preconditions of a real API server; and answers that a test can put
 * in their place.
 */
public final class FakeStore implements SessionStore {
  final Map<String, Session> stored = new TreeMap<>();

  /** What the next requests to delete are answered; once empty, as the server would. */
  final Deque<Supplier<DeleteResult>> answers = new ArrayDeque<>();

  final List<Session> asked = new ArrayList<>();
  private final Instant server;

  public FakeStore(Instant server, Session... sessions) {
    this.server = server;
    for (var session : sessions) {
      stored.put(session.name(), session);
    }
  }

  @Override
  public SessionList list() {
    return new SessionList(this, server, List.copyOf(stored.values()).stream());
  }

  @Override
  public Optional<Session> get(Session session) {
    return Optional.ofNullable(stored.get(session.name()));
  }

  @Override
  public Optional<JsonNode> document(Session session) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized DeleteResult delete(Session session) {
    asked.add(session);
    if (!answers.isEmpty()) {
      return answers.remove().get();
    }
    var found = stored.get(session.name());
    if (found == null) {
      return new DeleteResult(Status.ALREADY_GONE);
    }
    if (!Objects.equals(found.uid(), session.uid())
        || !Objects.equals(found.resourceVersion(), session.resourceVersion())) {
      return new DeleteResult(Status.CHANGED);
    }
    stored.remove(session.name());
    return new DeleteResult(Status.GONE);
  }

  @Override
  public Map<Session, String> findRemaining(Collection<Session> sessions) {
    return sessions.stream()
        .filter(session -> get(session).filter(session::isSameAs).isPresent())
        .collect(Collectors.toMap(Function.identity(), _ -> "finalizers example.com/stuck"));
  }
}
