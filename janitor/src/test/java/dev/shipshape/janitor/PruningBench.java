package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.prune.Throughput;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Measures pruning on a control plane of its own, beside the vendor's loop ({@code kubectl delete},
 * one by one) on a sample in the same run. Argument: how many sessions (10,000). Needs kubectl.
 */
final class PruningBench {
  private static final int SAMPLE = 50;

  private PruningBench() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
    try (var controlPlane = ControlPlane.start();
        var cluster = new TestCluster(controlPlane, "default");
        var client = cluster.clientNamed("pruning-bench")) {
      TestSessions.createAged(cluster, 0, SAMPLE);
      var loop = vendorLoop(controlPlane) / SAMPLE;
      TestSessions.createAged(cluster, 0, count);

      var begin = System.nanoTime();
      var pruner =
          TestSessions.pruner(
              client,
              cluster.namespace(),
              TestSessions.policy(0, count, null),
              new Throughput(16, 10_000, Duration.ofSeconds(1)),
              new AuditLog(_ -> {}, Clock.systemUTC()),
              new CancellationToken(() -> true));
      var report = pruner.verify(pruner.run(true), Duration.ofMinutes(5));
      var seconds = (System.nanoTime() - begin) / 1e9;
      var requests = cluster.audited("pruning-bench", _ -> true).size();
      row("gone", (double) TestSessions.count(report, Status.GONE), "= " + count);
      row("requests for each", (double) requests / count, "<= 1.05");
      row("seconds", seconds, "");
      row("kubectl delete, seconds for each", loop, "");
      row("share of the loop's time", seconds / (loop * count), "<= 0.1");
    }
  }

  private static void row(String what, double figure, String target) {
    System.out.printf("%-36s %12.4f   %s%n", what, figure, target);
  }

  /** As in the vendor's patch notes; returns seconds. */
  private static double vendorLoop(ControlPlane controlPlane)
      throws IOException, InterruptedException {
    var kubeconfig = Files.createTempFile("bench", ".kubeconfig");
    try {
      Files.writeString(kubeconfig, controlPlane.adminKubeconfig());
      var script =
          "for name in $(kubectl get cfsessions -o name); do kubectl delete $name >/dev/null; done";
      var process = new ProcessBuilder(List.of("sh", "-c", script)).inheritIO();
      process.environment().put("KUBECONFIG", kubeconfig.toString());
      var begin = System.nanoTime();
      if (process.start().waitFor() != 0) {
        throw new IOException("the vendor's loop failed");
      }
      return (System.nanoTime() - begin) / 1e9;
    } finally {
      Files.delete(kubeconfig);
    }
  }
}
