package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.CustomResourceSessions;
import dev.shipshape.janitor.session.DeleteAnswer;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * One run of the pruner in a process of its own, which kills itself (SIGKILL) at the step that it
 * is told: before or after any request about sessions, intent or record. Arguments: kubeconfig,
 * namespace, file of records, step, workers, "jobs" to look for leaked Jobs too. Ends with 0 where
 * there are not so many steps.
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
        var journal = journal(Path.of(arguments[2]))) {
      var api = new KubernetesApi(client);
      var stop = new StopSignal(() -> true);
      var sessions = new CustomResourceSessions(api, arguments[1], stop);
      pruner(
              mortal.new Requests(sessions),
              api,
              arguments[1],
              Integer.parseInt(arguments[4]),
              mortal.new Writes(journal))
          .run(true, wait(arguments[5].equals("jobs")));
    }
    System.exit(0);
  }

  static FileJournal journal(Path file) {
    return new FileJournal(file, 1_000_000, 2, (_, _) -> {}, Clock.systemUTC());
  }

  /** Before a restart nobody looks for Jobs. */
  static Wait wait(boolean jobs) {
    return new Wait(!jobs, Duration.ofMinutes(1));
  }

  static Pruner pruner(
      Sessions sessions, KubernetesApi api, String namespace, int workers, Journal journal) {
    return Pruner.of(
        sessions,
        api,
        namespace,
        new LeakedJobPolicy(true, Duration.ZERO),
        TestSessions.WITH_PENDING,
        new Limits(0, 2000, null, Duration.ofHours(1)),
        new Pace(workers, 1000),
        journal,
        new StopSignal(() -> true),
        Clock.systemUTC());
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

  private final class Requests implements Sessions {
    private final Sessions sessions;

    Requests(Sessions sessions) {
      this.sessions = sessions;
    }

    @Override
    public void list(Listener listener) {
      step();
      sessions.list(listener);
      step();
    }

    @Override
    public Optional<Session> reread(Session session) {
      step();
      return sessions.reread(session);
    }

    @Override
    public DeleteAnswer delete(Session session) {
      step();
      var answer = sessions.delete(session);
      step();
      return answer;
    }

    @Override
    public Map<Session, String> awaitGone(Collection<Session> gone, Duration deadline) {
      return awaitGone(gone, deadline, _ -> {});
    }

    @Override
    public Map<Session, String> awaitGone(
        Collection<Session> gone, Duration deadline, Consumer<Session> isGone) {
      step();
      var remaining = sessions.awaitGone(gone, deadline, isGone);
      step();
      return remaining;
    }
  }

  private final class Writes implements Journal {
    private final Journal journal;

    Writes(Journal journal) {
      this.journal = journal;
    }

    @Override
    public void begin(Intent intent) {
      step();
      journal.begin(intent);
      step();
    }

    @Override
    public void record(String run, Deletion deletion) {
      step();
      journal.record(run, deletion);
      step();
    }

    @Override
    public void record(JobRemoval removal) {
      step();
      journal.record(removal);
      step();
    }

    @Override
    public List<Intent> unfinished() {
      return journal.unfinished();
    }

    @Override
    public void forget(Intent intent) {
      journal.forget(intent);
    }
  }
}
