package dev.shipshape.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the API server itself says about how long it waited for the webhook. */
final class ApiServerHistogram {
  private static final String METRIC = "apiserver_admission_webhook_admission_duration_seconds";
  private static final double TARGET_POINTS = 2;
  private static final int NETWORKS = 50;
  private static final int ROUNDS = 5;

  private ApiServerHistogram() {}

  /** One server in one round. */
  private record Within(double webhook, double peer, double allow) {}

  /**
   * Of the webhook, of the Go webhook, and of one that looks at nothing, which shows what this
   * machine leaves to any of them; in turn, round for round.
   *
   * @param calls of each
   */
  static List<Figure> measure(Cluster cluster, Server webhook, Server peer, Server allow, int calls)
      throws IOException, InterruptedException {
    var rounds = new ArrayList<Within>();
    for (var round = 0; round < ROUNDS; round++) {
      rounds.add(
          new Within(
              percentWithin(cluster, "validate.shipshape.dev", webhook, calls / ROUNDS),
              percentWithin(cluster, "validate.go.dev", peer, calls / ROUNDS),
              percentWithin(cluster, "validate.allow.dev", allow, calls / ROUNDS)));
    }
    return List.of(
        Figure.atMost(
            TARGET_POINTS,
            "calls in the API server's 5 ms bucket, below one that looks at nothing",
            Median.of(rounds, round -> round.allow() - round.webhook()),
            "points"),
        Figure.of("  webhook", Median.of(rounds, Within::webhook), "%"),
        Figure.of("  Go", Median.of(rounds, Within::peer), "%"),
        Figure.of("  one that looks at nothing", Median.of(rounds, Within::allow), "%"));
  }

  private static double percentWithin(Cluster cluster, String name, Server server, int calls)
      throws IOException, InterruptedException {
    Registration.add(cluster, name, server);
    var object = Reviews.json(Reviews.nodeConfig("through", Reviews.spec(NETWORKS, 1)));
    write(cluster, object, calls / 10);
    var before = Counts.read(cluster, name);
    write(cluster, object, calls);
    var after = Counts.read(cluster, name);
    if (after.all() - before.all() < calls) {
      throw new IOException("the API server did not call %s: %s".formatted(name, after));
    }
    Registration.remove(cluster, name);
    return 100 * (after.within() - before.within()) / (after.all() - before.all());
  }

  private static void write(Cluster cluster, String object, int calls)
      throws IOException, InterruptedException {
    for (var count = 0; count < calls; count++) {
      cluster.send("POST", Cluster.NODE_CONFIGS + "?dryRun=All", object).expect(201);
    }
  }

  /** The histogram's counts so far, of calls that allowed. */
  private record Counts(double all, double within) {
    static Counts read(Cluster cluster, String name) throws IOException, InterruptedException {
      var page = cluster.text("/metrics");
      return new Counts(
          sum(page.lines(), name, METRIC + "_count"),
          sum(
              page.lines().filter(line -> line.contains("le=\"0.005\"")),
              name,
              METRIC + "_bucket"));
    }

    private static double sum(Stream<String> lines, String name, String metric) {
      return lines
          .filter(line -> line.startsWith(metric + "{") && line.contains("\"" + name + "\""))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }
}
