package dev.shipshape.janitor.restart;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.SessionStore;
import dev.shipshape.janitor.session.Times;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sessions that can only be listed, or not even that. */
final class ListedSessions implements SessionStore {
  private final Instant server;
  private final List<Session> sessions = new ArrayList<>();
  @Nullable KubernetesClientException failure;
  int lists;

  ListedSessions(Instant server) {
    this.server = server;
  }

  void pending(String name, @Nullable Instant created) {
    add(name, "pending", null, created);
  }

  void add(String name, String state, @Nullable String job, @Nullable Instant created) {
    var times = new Times(created, null, null, null);
    sessions.add(new Session("services", name, name, "1", state, times, job, Set.of()));
  }

  void clear() {
    sessions.clear();
  }

  @Override
  public SessionList list() {
    lists++;
    if (failure != null) {
      throw failure;
    }
    return new SessionList(this, server, sessions.stream());
  }

  @Override
  public Optional<Session> get(Session session) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<JsonNode> document(Session session) {
    throw new UnsupportedOperationException();
  }

  @Override
  public DeleteResult delete(Session session) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<Session, String> findRemaining(Collection<Session> remaining) {
    throw new UnsupportedOperationException();
  }
}
