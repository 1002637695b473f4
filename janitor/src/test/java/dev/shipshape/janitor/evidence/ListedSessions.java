package dev.shipshape.janitor.evidence;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.session.DeleteAnswer;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import dev.shipshape.janitor.session.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sessions that can only be listed, or not even that. */
final class ListedSessions implements Sessions {
  private final Instant server;
  private final List<Session> sessions = new ArrayList<>();
  @Nullable ApiFailure failure;
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

  @Override
  public void list(Listener listener) {
    lists++;
    if (failure != null) {
      throw failure;
    }
    listener.begin(server);
    sessions.forEach(listener::each);
  }

  @Override
  public Optional<Session> reread(Session session) {
    throw new UnsupportedOperationException();
  }

  @Override
  public DeleteAnswer delete(Session session) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<Session, String> awaitGone(Collection<Session> gone, Duration deadline) {
    throw new UnsupportedOperationException();
  }
}
