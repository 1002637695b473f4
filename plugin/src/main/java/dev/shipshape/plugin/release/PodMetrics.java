package dev.shipshape.plugin.release;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * The metrics of a release's servers, read through the API server's pod proxy.
 *
 * @param pods the names of all pods, whether they could be scraped or not
 * @param webhooks those that could be scraped
 * @param janitors those that could be scraped
 */
record PodMetrics(List<String> pods, List<Scrape> webhooks, List<Scrape> janitors) {
  /** A pod that a network policy hides never answers; one that can be reached does at once. */
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private static final String EXPIRY = "shipshape_webhook_certificate_expiry_timestamp_seconds";
  private static final String LAST_RUN = "shipshape_janitor_prune_last_success_timestamp_seconds";
  private static final String RUNS = "shipshape_janitor_prune_runs_total";
  private static final String LEADS = "shipshape_janitor_leader";

  PodMetrics {
    pods = List.copyOf(pods);
    webhooks = List.copyOf(webhooks);
    janitors = List.copyOf(janitors);
  }

  /** The metrics of one server. */
  record Scrape(String pod, Exposition metrics) {}

  /** Scrapes all pods at once, on the ports that they declare. */
  static PodMetrics read(KubernetesClient client, List<Pod> pods) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var webhooks = scrape(client, pods, "metrics", threads);
      var janitors = scrape(client, pods, "janitor-metrics", threads);
      return new PodMetrics(
          pods.stream().map(pod -> pod.getMetadata().getName()).toList(),
          answered(webhooks),
          answered(janitors));
    }
  }

  private static List<CompletableFuture<Optional<Scrape>>> scrape(
      KubernetesClient client, List<Pod> pods, String port, Executor threads) {
    return pods.stream()
        .flatMap(
            pod ->
                pod.getSpec().getContainers().stream()
                    .flatMap(container -> container.getPorts().stream())
                    .filter(each -> port.equals(each.getName()))
                    .limit(1)
                    .map(
                        each ->
                            CompletableFuture.supplyAsync(
                                () -> scrape(client, pod, each.getContainerPort()), threads)))
        .toList();
  }

  /** Empty if the API server or the pod refuses, or does not answer in time. */
  private static Optional<Scrape> scrape(KubernetesClient client, Pod pod, int port) {
    var metadata = pod.getMetadata();
    var path =
        "/api/v1/namespaces/%s/pods/%s:%d/proxy/metrics"
            .formatted(metadata.getNamespace(), metadata.getName(), port);
    try {
      var answer =
          RawRequest.send(client, path, LIMIT, request -> request.header("Accept", "text/plain"));
      return answer.isSuccessful()
          ? Optional.of(
              new Scrape(
                  metadata.getName(),
                  Exposition.parse(new String(answer.body(), StandardCharsets.UTF_8))))
          : Optional.empty();
    } catch (KubernetesClientException e) {
      return Optional.empty();
    }
  }

  private static List<Scrape> answered(List<CompletableFuture<Optional<Scrape>>> scrapes) {
    return scrapes.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList();
  }

  /** The leading janitor; empty if it could not be scraped. */
  Optional<Scrape> leadingJanitor() {
    return janitors.stream().filter(each -> each.metrics().sum(LEADS).orElse(0) > 0).findFirst();
  }

  /** When the first of the serving certificates ends: it is not renewed where another one is. */
  Optional<Instant> firstExpiry() {
    return webhooks.stream()
        .map(webhook -> webhook.metrics().greatest(EXPIRY, "certificate=\"leaf\""))
        .flatMap(PodMetrics::time)
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

  /** A janitor is armed or not from its start to its end: all of its runs delete, or none does. */
  private Optional<Instant> lastRun(String ending) {
    return janitors.stream()
        .map(Scrape::metrics)
        .filter(metrics -> metrics.sum(RUNS, "ending=\"%s\"".formatted(ending)).orElse(0) > 0)
        .map(metrics -> metrics.greatest(LAST_RUN))
        .flatMap(PodMetrics::time)
        .max(Instant::compareTo);
  }

  /** The sum of a counter over all janitors; empty if none could be scraped. */
  Optional<Long> counted(String metric, String... labels) {
    return janitors.isEmpty()
        ? Optional.empty()
        : Optional.of(
            (long)
                janitors.stream()
                    .map(janitor -> janitor.metrics().sum(metric, labels))
                    .flatMapToDouble(OptionalDouble::stream)
                    .sum());
  }

  /** 0 and NaN stand for no time. */
  private static Stream<Instant> time(OptionalDouble seconds) {
    return seconds.stream()
        .filter(value -> value > 0)
        .mapToObj(value -> Instant.ofEpochSecond((long) value));
  }
}
