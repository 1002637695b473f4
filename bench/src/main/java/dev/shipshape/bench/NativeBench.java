package dev.shipshape.bench;

import dev.shipshape.sandbox.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures the ValidatingAdmissionPolicy that could be written instead of the webhook, beside the
 * webhook and beside neither, in turn, round for round. Arguments: the checkout, and {@code
 * --quick} for less of everything.
 */
public final class NativeBench {
  private static final String WEBHOOK = "validate.shipshape.dev";
  private static final long PATIENCE_SECONDS = 60;
  private static final double MILLISECONDS = 1e3;
  private static final int STEP = 50;

  private final Launch launch;
  private final Cluster cluster;
  private final NativeSize size;
  private final PacedWrites writes;

  private NativeBench(Launch launch, Cluster cluster, NativeSize size, PacedWrites writes) {
    this.launch = launch;
    this.cluster = cluster;
    this.size = size;
    this.writes = writes;
  }

  /**
   * One way to refuse in one round.
   *
   * @param apiServer its processor time a write, in milliseconds
   * @param webhook its processor time a write, in milliseconds
   * @param p50 of a write, in milliseconds
   * @param rate writes a second
   */
  private record Measured(double apiServer, double webhook, double p50, double rate) {
    double both() {
      return apiServer + webhook;
    }
  }

  private record Round(Measured nothing, Measured plain, Measured anyOrder, Measured webhook) {}

  /** Measures, prints the table and writes it as JSON. */
  public static void main(String[] arguments) throws Exception {
    var checkout = new Checkout(Path.of(arguments[0]));
    var size = List.of(arguments).contains("--quick") ? NativeSize.QUICK : NativeSize.FULL;
    var report = new Report(size);
    try (var cluster = Cluster.start(Progress.toLog(), checkout.target("native"))) {
      var writes = PacedWrites.on(cluster, size.networks(), size.perSecond());
      var bench = new NativeBench(new Launch(checkout, cluster), cluster, size, writes);
      var known = 0;
      for (var next : size.knownInvalid()) {
        cluster.learn(size.networks(), known + 1, next);
        known = next;
        report.addAll(bench.measure(known));
      }
      report.add(bench.costLimit());
    }
    report.print();
    report.write(checkout.target("native.json"));
  }

  private List<Figure> measure(int known) throws IOException, InterruptedException {
    var same = Reviews.spec(size.networks(), known);
    var reversed = Reviews.reversed(size.networks(), known);
    var rounds = new ArrayList<Round>();
    for (var round = 0; round < size.rounds(); round++) {
      rounds.add(
          new Round(
              window(null),
              policy(Policy.PLAIN, same),
              policy(Policy.ANY_ORDER, reversed),
              webhook(reversed)));
    }
    var figures = new ArrayList<Figure>();
    var name = "%,d known invalid, ".formatted(known);
    figures.addAll(figures(name + "nothing", rounds, Round::nothing));
    figures.addAll(figures(name + "policy, plain", rounds, Round::plain));
    figures.addAll(figures(name + "policy, any order", rounds, Round::anyOrder));
    figures.addAll(figures(name + "webhook", rounds, Round::webhook));
    return figures;
  }

  private static List<Figure> figures(
      String name, List<Round> rounds, Function<Round, Measured> measured) {
    ToDoubleFunction<Round> more = round -> measured.apply(round).both() - round.nothing().both();
    return List.of(
        of(
            name + ": API server, a write",
            rounds,
            round -> measured.apply(round).apiServer(),
            "ms"),
        of("  webhook, a write", rounds, round -> measured.apply(round).webhook(), "ms"),
        of("  both, more than with nothing", rounds, more, "ms"),
        of(
            "  that / the webhook's",
            rounds,
            round -> more.applyAsDouble(round) / (round.webhook().both() - round.nothing().both()),
            "x"),
        of("  p50 of a write", rounds, round -> measured.apply(round).p50(), "ms"),
        of("  writes", rounds, round -> measured.apply(round).rate(), "1/s"));
  }

  private static Figure of(
      String what, List<Round> rounds, ToDoubleFunction<Round> figure, String unit) {
    return Figure.of(what, Median.of(rounds, figure), unit);
  }

  private Measured policy(Policy policy, Map<String, Object> knownInvalid)
      throws IOException, InterruptedException {
    policy.install(cluster);
    await(knownInvalid, false);
    var measured = window(null);
    policy.remove(cluster);
    await(knownInvalid, true);
    return measured;
  }

  private Measured webhook(Map<String, Object> knownInvalid)
      throws IOException, InterruptedException {
    try (var webhook = launch.webhook("nodeconfig")) {
      webhook.awaitReady();
      warmUp(webhook);
      Registration.add(cluster, WEBHOOK, webhook);
      await(knownInvalid, false);
      var measured = window(webhook);
      Registration.remove(cluster, WEBHOOK);
      await(knownInvalid, true);
      return measured;
    }
  }

  private void warmUp(Server webhook) throws IOException, InterruptedException {
    var review = Reviews.creation("warm-up", Reviews.spec(size.networks(), 0));
    try (var caller = new WebhookCaller(webhook.url(), webhook.bundle())) {
      for (var count = 0; count < size.reviews(); count++) {
        caller.allows(review);
      }
    }
  }

  private Measured window(@Nullable Server webhook) throws IOException, InterruptedException {
    writes.run(size.warmUp());
    var apiServerBefore = cluster.processorSeconds();
    var webhookBefore = webhook == null ? 0 : webhook.processorSeconds();
    var seen = writes.run(size.seconds());
    var perWrite = MILLISECONDS / seen.writes();
    return new Measured(
        (cluster.processorSeconds() - apiServerBefore) * perWrite,
        webhook == null ? 0 : (webhook.processorSeconds() - webhookBefore) * perWrite,
        seen.p50(),
        seen.rate());
  }

  /**
   * From how many networks on the policy refuses what it should not, because that is too much work:
   * a configuration that is one known invalid in another order, but for one network.
   */
  private Figure costLimit() throws IOException, InterruptedException {
    Policy.ANY_ORDER.install(cluster);
    var networks = 0;
    Cluster.Reply reply;
    do {
      networks += STEP;
      cluster.createInvalid("large-" + networks, Reviews.spec(networks, 0)).expect(200);
      await(Reviews.spec(networks, 0), false);
      reply = create(Reviews.almostReversed(networks, 0));
    } while (reply.status() == 201);
    System.err.println("bench: " + reply.body().path("message").asText());
    return Figure.of(
        "networks in a spec for which the policy, any order, costs too much", networks, "");
  }

  /** Waits until the API server allows the creation of another such NodeConfig, or refuses it. */
  private void await(Map<String, Object> spec, boolean allowed)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    var reply = create(spec);
    while ((reply.status() == 201) != allowed) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the API server still answers %s".formatted(reply));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      reply = create(spec);
    }
  }

  private Cluster.Reply create(Map<String, Object> spec) throws IOException, InterruptedException {
    return cluster.send(
        "POST",
        Cluster.NODE_CONFIGS + "?dryRun=All",
        Reviews.json(Reviews.nodeConfig("another", spec)));
  }
}
