package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * One run of the pruner in a process of its own, which kills itself (SIGKILL) at the step that it
 * is told: before or after any request about sessions, any look at the clock, or any record.
 * Arguments: kubeconfig, namespace, file of records, step, workers. Ends with 0 where there are not
 * so many steps.
 */
final class MortalPruner {
  private final int last;
  private int step;

  private MortalPruner(int last) {
    this.last = last;
  }

  public static void main(String[] arguments) {
    var config = Config.fromKubeconfig(Path.of(arguments[0]).toFile());
    config.setClientKeyAlgo("EC");
    var mortal = new MortalPruner(Integer.parseInt(arguments[3]));
    try (var client = new KubernetesClientBuilder().withConfig(config).build();
        var audit = TestSessions.audit(Path.of(arguments[2]), _ -> mortal.step())) {
      InstantSource clock =
          () -> {
            mortal.step();
            return Clock.systemUTC().instant();
          };
      var sessions = mortal.new Requests(new CustomResourceStore(client, arguments[1]));
      var workers = Integer.parseInt(arguments[4]);
      pruner(sessions, client, arguments[1], workers, audit, clock).run(true);
    }
    System.exit(0);
  }

  static Pruner pruner(
      SessionStore sessions,
      KubernetesClient client,
      String namespace,
      int workers,
      AuditLog audit,
      InstantSource clock) {
    return new Pruner(
        sessions,
        client,
        namespace,
        TestSessions.WITH_PENDING,
        new Throughput(workers, 1000, TestSessions.PAUSE),
        null,
        audit,
        new CancellationToken(() -> true),
        clock);
  }

  private synchronized void step() {
    if (++step != last) {
      return;
    }
    try {
      new ProcessBuilder("kill", "-9", String.valueOf(ProcessHandle.current().pid())).start();
      new CountDownLatch(1).await();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
    public String holding(Session session) {
      return sessions.holding(session);
    }
  }
}
