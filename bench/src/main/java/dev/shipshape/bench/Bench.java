package dev.shipshape.bench;

import dev.shipshape.sandbox.Progress;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures the webhook beside a Go webhook that does the same job, and beside itself answering
 * without deciding. Arguments: the checkout, and {@code --quick} for less of everything.
 */
public final class Bench {
  private Bench() {}

  /** Measures, prints the table and writes it as JSON. */
  public static void main(String[] arguments) throws Exception {
    var checkout = new Checkout(Path.of(arguments[0]));
    var size = List.of(arguments).contains("--quick") ? Size.QUICK : Size.FULL;
    var report = new Report(size);
    try (var cluster = Cluster.start(Progress.toLog(), checkout.target("state"))) {
      cluster.learn(1, 1, size.knownInvalid());
      var launch = new Launch(checkout, cluster);
      report.addAll(Start.measure(launch, size.starts()));
      report.addAll(new Comparison(checkout, launch, size).measure());
      try (var webhook = launch.webhook("nodeconfig");
          var peer = launch.peer();
          var allow = launch.allow()) {
        for (var server : List.of(webhook, peer, allow)) {
          server.awaitReady();
          new Load(checkout).closed(server.url(), Reviews.small(checkout), size.warmUp());
        }
        report.add(Enforcement.measure(cluster, webhook, size.enforcements()));
        report.addAll(ApiServerHistogram.measure(cluster, webhook, peer, allow, size.calls()));
      }
    }
    report.print();
    report.write(checkout.target("results.json"));
  }
}
