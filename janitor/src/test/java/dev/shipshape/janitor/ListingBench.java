package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.prune.Throughput;
import dev.shipshape.sandbox.ControlPlane;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Measures the heap that planning a run takes where sessions are few and where they are many, on a
 * control plane of its own. Argument: how many are many (100,000).
 */
final class ListingBench {
  private static final int FEW = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final double MEBIBYTE = 1 << 20;

  private ListingBench() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var many = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
    try (var controlPlane = ControlPlane.start();
        var cluster = new TestCluster(controlPlane, "default");
        var client = cluster.clientNamed("listing-bench")) {
      // As by default, but that a plan names as many of few sessions as of many.
      var pruner =
          TestSessions.pruner(
              client,
              cluster.namespace(),
              TestSessions.policy(0, FEW, null),
              new Throughput(16, 50, Duration.ofSeconds(1)),
              new AuditLog(_ -> {}, Clock.systemUTC()),
              new CancellationToken(() -> true));
      TestSessions.createAged(cluster, 0, FEW);
      measured(pruner, FEW);
      var few = measured(pruner, FEW);
      TestSessions.createAged(cluster, FEW, many);
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
}
