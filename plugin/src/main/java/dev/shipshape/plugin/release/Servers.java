package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What a release's servers say of themselves, by their metrics.
 *
 * @param pods how many there are, whether they could be asked or not
 * @param webhooks those that could be asked
 * @param janitors those that could be asked
 */
record Servers(int pods, List<Asked> webhooks, List<Asked> janitors) {
  private static final String WEBHOOK_PORT = "metrics";
  private static final String JANITOR_PORT = "janitor-metrics";

  private static final String EXPIRY = "shipshape_webhook_certificate_expiry_timestamp_seconds";
  private static final String LAST_RUN = "shipshape_janitor_prune_last_success_timestamp_seconds";
  private static final String RUNS = "shipshape_janitor_prune_runs_total";

  Servers {
    webhooks = List.copyOf(webhooks);
    janitors = List.copyOf(janitors);
  }

  /** One server, by its pod. */
  record Asked(String pod, Exposition metrics) {
    boolean leads(String metric) {
      return metrics.sum(metric).orElse(0) > 0;
    }
  }

  /** Asks all pods at once, on the ports that they have. */
  static Servers of(Installed installed) {
    var pods = installed.pods();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var webhooks = ask(installed, pods, WEBHOOK_PORT, threads);
      var janitors = ask(installed, pods, JANITOR_PORT, threads);
      return new Servers(pods.size(), answered(webhooks), answered(janitors));
    }
  }

  private static List<CompletableFuture<Optional<Asked>>> ask(
      Installed installed, List<JsonNode> pods, String port, Executor threads) {
    return pods.stream()
        .flatMap(
            pod ->
                port(pod, port)
                    .map(
                        number ->
                            ask(installed, pod.at("/metadata/name").asText(), number, threads))
                    .stream())
        .toList();
  }

  private static CompletableFuture<Optional<Asked>> ask(
      Installed installed, String pod, int port, Executor threads) {
    return CompletableFuture.supplyAsync(
        () -> installed.metrics(pod, port).map(said -> new Asked(pod, said)), threads);
  }

  private static List<Asked> answered(List<CompletableFuture<Optional<Asked>>> asked) {
    return asked.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList();
  }

  private static Optional<Integer> port(JsonNode pod, String name) {
    return StreamSupport.stream(pod.at("/spec/containers").spliterator(), false)
        .flatMap(container -> StreamSupport.stream(container.path("ports").spliterator(), false))
        .filter(each -> each.path("name").asText().equals(name))
        .map(each -> each.path("containerPort").asInt())
        .findFirst();
  }

  /** Whether every pod gave an answer, by one of its servers at least. */
  boolean areAllAsked() {
    return Stream.concat(webhooks.stream(), janitors.stream()).map(Asked::pod).distinct().count()
        == pods;
  }

  /** When the first of the serving certificates ends: it is not renewed where another one is. */
  Optional<Instant> firstExpiry() {
    return webhooks.stream()
        .map(webhook -> webhook.metrics().greatest(EXPIRY, "certificate=\"leaf\""))
        .flatMap(Servers::time)
        .min(Instant::compareTo);
  }

  /** When a run that deletes last ended well, since these janitors started. */
  Optional<Instant> lastPrune() {
    return lastRun("done");
  }

  /** When a run that only reports last ended well, since these janitors started. */
  Optional<Instant> lastReport() {
    return lastRun("reported");
  }

  /** What a janitor does is settled when it starts: all of its runs delete, or none does. */
  private Optional<Instant> lastRun(String ending) {
    return janitors.stream()
        .map(Asked::metrics)
        .filter(metrics -> metrics.sum(RUNS, "ending=\"%s\"".formatted(ending)).orElse(0) > 0)
        .map(metrics -> metrics.greatest(LAST_RUN))
        .flatMap(Servers::time)
        .max(Instant::compareTo);
  }

  /** What all janitors have counted; empty where none could be asked. */
  Optional<Long> counted(String metric, String... labels) {
    if (janitors.isEmpty()) {
      return Optional.empty();
    }
    var sum =
        janitors.stream()
            .map(janitor -> janitor.metrics().sum(metric, labels))
            .flatMapToDouble(OptionalDouble::stream)
            .sum();
    return Optional.of((long) sum);
  }

  /** The greatest of what the janitors say; 0 where none says it. */
  double greatest(String metric, String... labels) {
    return janitors.stream()
        .map(janitor -> janitor.metrics().greatest(metric, labels))
        .flatMapToDouble(OptionalDouble::stream)
        .max()
        .orElse(0);
  }

  /** 0 and what is no number stand for none. */
  private static Stream<Instant> time(OptionalDouble seconds) {
    return seconds.stream()
        .filter(value -> value > 0)
        .mapToObj(value -> Instant.ofEpochSecond((long) value));
  }
}
