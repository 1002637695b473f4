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
 * The metrics of a release's webhooks, read through the API server's pod proxy.
 *
 * @param webhooks those that could be scraped
 */
record PodMetrics(List<Scrape> webhooks) {
  /** A pod that a network policy hides never answers; one that can be reached does at once. */
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private static final String EXPIRY = "shipshape_webhook_certificate_expiry_timestamp_seconds";

  PodMetrics {
    webhooks = List.copyOf(webhooks);
  }

  /** The metrics of one server. */
  record Scrape(String pod, Exposition metrics) {}

  /** Scrapes all pods at once, on the port that they declare. */
  static PodMetrics read(KubernetesClient client, List<Pod> pods) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return new PodMetrics(answered(scrape(client, pods, threads)));
    }
  }

  private static List<CompletableFuture<Optional<Scrape>>> scrape(
      KubernetesClient client, List<Pod> pods, Executor threads) {
    return pods.stream()
        .flatMap(
            pod ->
                pod.getSpec().getContainers().stream()
                    .flatMap(container -> container.getPorts().stream())
                    .filter(each -> "metrics".equals(each.getName()))
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

  /** When the first of the serving certificates ends: it is not renewed where another one is. */
  Optional<Instant> firstExpiry() {
    return webhooks.stream()
        .map(webhook -> webhook.metrics().greatest(EXPIRY, "certificate=\"leaf\""))
        .flatMap(PodMetrics::time)
        .min(Instant::compareTo);
  }

  /** 0 and NaN stand for no time. */
  private static Stream<Instant> time(OptionalDouble seconds) {
    return seconds.stream()
        .filter(value -> value > 0)
        .mapToObj(value -> Instant.ofEpochSecond((long) value));
  }
}
