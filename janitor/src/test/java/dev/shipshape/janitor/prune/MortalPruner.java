package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One run of the pruner that dies at a step: before or after a request about sessions, a look at
 * the clock or an audit line. Nothing of it is carried out after that.
 */
final class MortalPruner {
  /** What the code of a dead process never hears of: it does not catch it. */
  static final class Dead extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final int last;
  private final Consumer<String> lines;
  private int step;

  /**
   * @param last the step at which it dies
   * @param lines takes its audit lines
   */
  MortalPruner(int last, Consumer<String> lines) {
    this.last = last;
    this.lines = lines;
  }

  void run(KubernetesClient client, String namespace, int workers) {
    var audit =
        new AuditLog(
            line -> {
              step();
              lines.accept(line);
              step();
            },
            () -> {
              step();
              return Clock.systemUTC().instant();
            });
    new Pruner(
            new Requests(new CustomResourceStore(client, namespace))::list,
            client,
            namespace,
            TestSessions.POLICY,
            new Throughput(workers, 1000, TestSessions.PAUSE),
            null,
            audit,
            new CancellationToken(() -> true),
            () -> {
              step();
              return Clock.systemUTC().instant();
            })
        .run(true);
  }

  private synchronized void step() {
    if (++step >= last) {
      throw new Dead();
    }
  }

  private final class Requests implements SessionStore {
    private final SessionStore sessions;

    Requests(SessionStore sessions) {
      this.sessions = sessions;
    }

    @Override
    public SessionList list() {
      step();
      var list = sessions.list();
      step();
      return new SessionList(this, list.serverTime(), list.sessions());
    }

    @Override
    public Optional<Session> get(Session session) {
      step();
      return sessions.get(session);
    }

    @Override
    public Optional<JsonNode> document(Session session) {
      return sessions.document(session);
    }

    @Override
    public DeleteResult delete(Session session) {
      step();
      var result = sessions.delete(session);
      step();
      return result;
    }

    @Override
    public Map<Session, String> findRemaining(Collection<Session> remaining) {
      step();
      return sessions.findRemaining(remaining);
    }
  }
}
