package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.Policy;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.Throughput;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.sandbox.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Measures the heap that planning a run takes where sessions are few and where they are many, on a
 * control plane of its own. Argument: how many are many (100,000).
 */
final class ListingBench {
  private static final int FEW = 1_000;
  private static final int WRITERS = 16;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final double MEBIBYTE = 1 << 20;

  private ListingBench() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var many = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
    try (var controlPlane = ControlPlane.start();
        var cluster = new TestCluster(controlPlane, "default");
        var client = cluster.clientNamed("listing-bench")) {
      var pruner = pruner(client, cluster.namespace());
      create(cluster, 0, FEW);
      measured(pruner, FEW);
      var few = measured(pruner, FEW);
      create(cluster, FEW, many);
      var begin = System.nanoTime();
      var most = measured(pruner, many);
      row("seconds, with ten collections a second", (System.nanoTime() - begin) / 1e9, "");
      row("MiB of heap in use, %,d sessions".formatted(FEW), few / MEBIBYTE, "");
      row("MiB of heap in use, %,d sessions".formatted(many), most / MEBIBYTE, "<= 256");
      row("the one / the other", (double) most / few, "<= 1.1");
    }
  }

  private static void row(String what, double figure, String target) {
    System.out.printf("%-40s %12.3f   %s%n", what, figure, target);
  }

  /** As by default, but that a plan names as many of few sessions as of many. */
  private static Pruner pruner(KubernetesClient client, String namespace) {
    var stop = new CancellationToken(() -> true);
    return new Pruner(
        new CustomResourceStore(client, namespace)::list,
        client,
        namespace,
        new Policy(
            Duration.ofDays(7),
            Duration.ofDays(7),
            Duration.ofMinutes(5),
            false,
            0,
            FEW,
            null,
            Duration.ofMinutes(1)),
        new Throughput(16, 50, Duration.ofSeconds(1)),
        null,
        new AuditLog(_ -> {}, Clock.systemUTC()),
        stop,
        Clock.systemUTC());
  }

  private static long measured(Pruner pruner, int sessions) {
    return mostHeap(
        () -> {
          var plan = pruner.plan();
          if (plan.stats().eligible() != sessions) {
            throw new IllegalStateException("not all are eligible: " + plan);
          }
          return plan;
        });
  }

  /** The most that was in use after any of many collections while the work was done. */
  private static long mostHeap(Supplier<RunReport> work) {
    var memory = ManagementFactory.getMemoryMXBean();
    var most = 0L;
    try (var worker = Executors.newSingleThreadExecutor()) {
      var done = CompletableFuture.supplyAsync(work, worker);
      do {
        System.gc();
        most = Math.max(most, memory.getHeapMemoryUsage().getUsed());
      } while (!isDoneWithin(PAUSE, done));
    }
    return most;
  }

  /** Whether the work came to its end; collecting without a pause would only slow it down. */
  private static boolean isDoneWithin(Duration pause, CompletableFuture<RunReport> work) {
    return work.copy()
        .thenApply(plan -> true)
        .completeOnTimeout(false, pause.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private static void create(TestCluster cluster, int from, int to) {
    try (var workers = Executors.newFixedThreadPool(WRITERS)) {
      IntStream.range(0, WRITERS)
          .mapToObj(
              worker ->
                  CompletableFuture.runAsync(
                      () -> {
                        for (var i = from + worker; i < to; i += WRITERS) {
                          createSession(cluster, i);
                        }
                      },
                      workers))
          .toList()
          .forEach(CompletableFuture::join);
    }
  }

  private static void createSession(TestCluster cluster, int number) {
    cluster.createSession(
        "batcher-%08x-0000-4000-8000-%012x".formatted(number, number),
        "complete",
        "2026-01-01T00:00:00Z");
  }
}
