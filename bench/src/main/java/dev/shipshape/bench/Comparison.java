package dev.shipshape.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The webhook, the Go webhook and the webhook answering without deciding, in turn, round for round:
 * each ratio is of one round, so that a machine that is busy is busy for all three.
 */
final class Comparison {
  private static final double MICROSECONDS = 1e6;
  private static final int FIRST = 300;

  private final Launch launch;
  private final Size size;
  private final Load load;
  private final Path small;
  private final Path large;

  Comparison(Checkout checkout, Launch launch, Size size) throws IOException {
    this.launch = launch;
    this.size = size;
    this.load = new Load(checkout);
    this.small = Reviews.small(checkout);
    this.large = Reviews.large(checkout);
  }

  /** One server in one round. */
  private record Measured(
      double rate, double processorMicroseconds, double openP99, double largeP99) {}

  private record Round(Measured webhook, Measured peer, Measured echo) {}

  List<Figure> measure() throws IOException, InterruptedException {
    try (var webhook = launch.webhook("nodeconfig")) {
      webhook.awaitReady();
      // Before another server starts beside it.
      var first = load.open(webhook.url(), small, FIRST);
      return measure(webhook, first);
    }
  }

  private List<Figure> measure(Server webhook, Load.Seen first)
      throws IOException, InterruptedException {
    try (var peer = launch.peer();
        var echo = launch.webhook("t-caas")) {
      peer.awaitReady();
      echo.awaitReady();
      for (var server : List.of(webhook, peer, echo)) {
        load.closed(server.url(), small, size.warmUp());
      }
      var afterSmall = webhook.residentMebibytes();
      for (var server : List.of(webhook, peer, echo)) {
        load.closed(server.url(), large, size.large());
      }
      var rounds = new ArrayList<Round>();
      for (var count = 0; count < size.rounds(); count++) {
        rounds.add(new Round(measure(webhook), measure(peer), measure(echo)));
      }
      var figures = new ArrayList<>(ratios(rounds));
      figures.add(
          Figure.atMost(
              100, "24 KB, 300/s, first 300 requests after Ready, p99", first.p99(), "ms"));
      figures.add(Figure.atMost(140, "resident memory after 24 KB", afterSmall, "MiB"));
      figures.add(
          Figure.atMost(200, "resident memory after 236 KB", webhook.residentMebibytes(), "MiB"));
      figures.add(Figure.of("  Go", peer.residentMebibytes(), "MiB"));
      return figures;
    }
  }

  private Measured measure(Server server) throws IOException, InterruptedException {
    var before = server.processorSeconds();
    var closed = load.closed(server.url(), small, size.closed());
    var used = server.processorSeconds() - before;
    var open = load.open(server.url(), small, size.open());
    var large = load.closed(server.url(), this.large, size.large());
    return new Measured(
        closed.rate(), used / size.closed() * MICROSECONDS, open.p99(), large.p99());
  }

  private static List<Figure> ratios(List<Round> rounds) {
    var figures = new ArrayList<Figure>();
    figures.add(
        Figure.atLeast(
            2.5,
            "24 KB, closed loop, throughput / Go's",
            Median.of(rounds, round -> round.webhook().rate() / round.peer().rate()),
            "x"));
    figures.add(
        Figure.of(
            "24 KB, closed loop, throughput / without deciding",
            Median.of(rounds, round -> round.webhook().rate() / round.echo().rate()),
            "x"));
    figures.addAll(values(rounds, Measured::rate, "1/s"));
    figures.add(
        Figure.atMost(
            0.4,
            "24 KB, processor time a request / Go's",
            Median.of(
                rounds,
                round ->
                    round.webhook().processorMicroseconds() / round.peer().processorMicroseconds()),
            "x"));
    figures.addAll(values(rounds, Measured::processorMicroseconds, "us"));
    figures.add(
        Figure.atMost(
            0.75,
            "24 KB, 300/s, p99 / Go's",
            Median.of(rounds, round -> round.webhook().openP99() / round.peer().openP99()),
            "x"));
    figures.addAll(values(rounds, Measured::openP99, "ms"));
    figures.add(
        Figure.atMost(
            0.3,
            "236 KB, closed loop, p99 / Go's",
            Median.of(rounds, round -> round.webhook().largeP99() / round.peer().largeP99()),
            "x"));
    figures.addAll(values(rounds, Measured::largeP99, "ms"));
    return figures;
  }

  /** The figures behind a ratio. */
  private static List<Figure> values(
      List<Round> rounds, ToDoubleFunction<Measured> figure, String unit) {
    return List.of(
        Figure.of(
            "  webhook", Median.of(rounds, round -> figure.applyAsDouble(round.webhook())), unit),
        Figure.of("  Go", Median.of(rounds, round -> figure.applyAsDouble(round.peer())), unit),
        Figure.of(
            "  without deciding",
            Median.of(rounds, round -> figure.applyAsDouble(round.echo())),
            unit));
  }
}
