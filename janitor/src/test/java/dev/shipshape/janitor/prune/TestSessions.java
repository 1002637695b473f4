package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.SessionStore;
import dev.shipshape.janitor.session.Times;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sessions for tests. */
public final class TestSessions {
  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  static final Policy POLICY =
      new Policy(
          Duration.ofDays(7),
          Duration.ofDays(28),
          Duration.ofMinutes(5),
          false,
          0,
          2000,
          null,
          Duration.ofHours(1));

  static final Duration PAUSE = Duration.ofMillis(100);
  static final Throughput FAST = new Throughput(4, 1000, PAUSE);

  /** So that the order is certain. */
  static final Throughput ONE_WORKER = new Throughput(1, 1000, PAUSE);

  static final Duration WAIT = Duration.ofSeconds(10);

  private TestSessions() {}

  /** The default one within these limits. */
  public static Policy policy(int keepNewest, int maxPerRun, @Nullable Integer maxPercent) {
    return new Policy(
        Duration.ofDays(7),
        Duration.ofDays(28),
        Duration.ofMinutes(5),
        false,
        keepNewest,
        maxPerRun,
        maxPercent,
        Duration.ofMinutes(1));
  }

  /** A pruner of sessions in memory, on a cluster without Jobs and pods. */
  static Pruner pruner(
      SessionStore sessions,
      Policy policy,
      Throughput throughput,
      AuditLog audit,
      BooleanSupplier leads,
      InstantSource clock) {
    return new Pruner(
        sessions::list,
        EmptyCluster.client(),
        "services",
        policy,
        throughput,
        null,
        audit,
        new CancellationToken(leads),
        clock);
  }

  /** One of a real cluster's sessions. */
  public static Pruner pruner(
      KubernetesClient client,
      String namespace,
      Policy policy,
      Throughput throughput,
      AuditLog audit,
      CancellationToken stop) {
    var sessions = new CustomResourceStore(client, namespace);
    return new Pruner(
        sessions::list,
        client,
        namespace,
        policy,
        throughput,
        null,
        audit,
        stop,
        Clock.systemUTC());
  }

  /** A run, and the wait for its sessions. */
  static RunReport run(Pruner pruner, Duration wait) {
    return pruner.awaitSessions(pruner.run(true), wait);
  }

  /** How many of its deletions ended so. */
  public static long count(RunReport report, DeleteResult.Status status) {
    return report.deletions().stream().filter(each -> each.result().status() == status).count();
  }

  /** One whose results go there, without what begins. */
  static AuditLog audit(Collection<String> records) {
    return new AuditLog(
        line -> {
          if (!line.contains("\"event\":\"begin\"")) {
            records.add(line);
          }
        },
        Clock.systemUTC());
  }

  /** The batcher's name number {@code number}. */
  public static String batcher(int number) {
    return "batcher-%08x-0000-4000-8000-%012x".formatted(number, number);
  }

  /** Creates those with the numbers from the first to before the last, complete and aged. */
  public static void createAged(TestCluster cluster, int first, int last) {
    try (var workers = Executors.newFixedThreadPool(16)) {
      IntStream.range(first, last)
          .mapToObj(TestSessions::batcher)
          .map(
              name ->
                  CompletableFuture.runAsync(
                      () -> cluster.createSession(name, "complete", "2026-01-01T00:00:00Z"),
                      workers))
          .toList()
          .forEach(CompletableFuture::join);
    }
  }

  /** A complete one that ended so long before now. */
  static Session complete(int number, Duration age) {
    return session(batcher(number), "complete", times(null, null, NOW.minus(age)), null);
  }

  /** A run of which each deletion ended so. */
  public static RunReport report(RunReport.Ending ending, List<DeleteResult> results) {
    var planned = Deletion.planned(complete(1, Duration.ofDays(8)), Duration.ofDays(8));
    var deletions = results.stream().map(planned::with).toList();
    var list = new SessionList(new FakeStore(NOW), NOW, Stream.empty());
    var plan = RunReport.planned(list, SessionStats.NONE, deletions);
    return plan.ended(ending, Duration.ZERO);
  }

  static Session session(
      String name, String state, Times times, @Nullable String job, Mark... marks) {
    return new Session("services", name, "uid-" + name, "1", state, times, job, Set.of(marks));
  }

  static Times times(
      @Nullable Instant created, @Nullable Instant started, @Nullable Instant completed) {
    return new Times(created, started, completed, null);
  }
}
