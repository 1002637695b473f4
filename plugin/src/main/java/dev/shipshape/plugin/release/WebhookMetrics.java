package dev.shipshape.plugin.release;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The metrics of one replica: its index and its certificate. Read through the API server's pod
 * proxy.
 *
 * @param samples by the metric's name with its labels
 */
record WebhookMetrics(String pod, Map<String, Double> samples) {
  /** A pod behind a network policy never responds; a reachable one responds at once. */
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+(?:\\{.*})?) (\\S+)$");
  private static final Pattern GUARD = Pattern.compile("[{,]guard=\"([^\"]*)\"");
  private static final String EXPIRY =
      "shipshape_webhook_certificate_expiry_timestamp_seconds{certificate=\"%s\"}";

  /** Reads the metrics of all pods in parallel; omits those without a metrics port or response. */
  static List<WebhookMetrics> read(KubernetesClient client, List<Pod> pods) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var responses =
          pods.stream()
              .map(pod -> CompletableFuture.supplyAsync(() -> read(client, pod), threads))
              .toList();
      return responses.stream().flatMap(response -> response.join().stream()).toList();
    }
  }

  private static Optional<WebhookMetrics> read(KubernetesClient client, Pod pod) {
    var metadata = pod.getMetadata();
    return pod.getSpec().getContainers().stream()
        .flatMap(container -> container.getPorts().stream())
        .filter(port -> "metrics".equals(port.getName()))
        .findFirst()
        .flatMap(
            port ->
                text(
                    client,
                    "/api/v1/namespaces/%s/pods/%s:%d/proxy/metrics"
                        .formatted(
                            metadata.getNamespace(), metadata.getName(), port.getContainerPort())))
        .map(text -> parse(metadata.getName(), text));
  }

  private static Optional<String> text(KubernetesClient client, String path) {
    try {
      var response =
          RawRequest.send(client, path, TIMEOUT, request -> request.header("Accept", "text/plain"));
      return response.isSuccessful()
          ? Optional.of(new String(response.body(), StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (KubernetesClientException e) {
      return Optional.empty();
    }
  }

  static WebhookMetrics parse(String pod, String text) {
    var samples = new HashMap<String, Double>();
    SAMPLE
        .matcher(text)
        .results()
        .forEach(found -> samples.put(found.group(1), number(found.group(2))));
    return new WebhookMetrics(pod, samples);
  }

  private static double number(String text) {
    return text.endsWith("Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }

  /** Returns the values of a metric with any labels. */
  DoubleStream values(String name) {
    return samples.entrySet().stream()
        .filter(each -> each.getKey().equals(name) || each.getKey().startsWith(name + "{"))
        .mapToDouble(Map.Entry::getValue);
  }

  /**
   * Returns a metric by guard: the maximum of the replicas.
   *
   * @param more another label with its value, or empty
   */
  static SortedMap<String, Double> byGuard(
      List<WebhookMetrics> replicas, String name, String more) {
    var values = new TreeMap<String, Double>();
    for (var replica : replicas) {
      replica.samples.forEach(
          (sample, value) -> {
            var guard = GUARD.matcher(sample);
            if (sample.startsWith(name + "{") && sample.contains(more) && guard.find()) {
              values.merge(guard.group(1), value, Math::max);
            }
          });
    }
    return values;
  }

  /**
   * Returns how many configurations would be refused. Those that objects make known invalid are
   * remembered too, so the larger number counts.
   */
  long knownInvalid() {
    var known = byGuard(List.of(this), "shipshape_webhook_index_known_invalid", "");
    byGuard(List.of(this), "shipshape_webhook_known_invalid_configurations", "verdict=\"invalid\"")
        .forEach((guard, count) -> known.merge(guard, count, Math::max));
    return (long) known.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Whether every replica that tests it reports that the API server does not call the webhook. */
  static boolean isUncalled(List<WebhookMetrics> replicas) {
    var called =
        replicas.stream().flatMap(each -> each.values("shipshape_webhook_called").boxed()).toList();
    return !called.isEmpty() && called.stream().allMatch(value -> value == 0);
  }

  /** Returns when the serving certificate expires; empty if there is none. */
  Optional<Instant> expiry() {
    var expiry = samples.getOrDefault(EXPIRY.formatted("leaf"), 0.0);
    return expiry > 0 ? Optional.of(Instant.ofEpochSecond(expiry.longValue())) : Optional.empty();
  }

  /**
   * Reports the problems that the metrics show, a line each.
   *
   * @param registered {@code validating} and {@code mutating}, if such a configuration exists and
   *     has a caBundle; a missing one is reported elsewhere
   */
  Stream<String> problems(Instant now, Set<String> registered) {
    return Stream.concat(
        Stream.of("leaf", "authority").flatMap(which -> expired(which, now)).distinct(),
        registered.stream()
            .filter(
                each ->
                    values(
                            "shipshape_webhook_ca_bundle_matches{configuration=\"%s\"}"
                                .formatted(each))
                        .anyMatch(value -> value == 0))
            .map(
                each ->
                    ("%s serves a certificate that the %s configuration's caBundle does not trust:"
                            + " it cannot be called")
                        .formatted(pod, each)));
  }

  private Stream<String> expired(String which, Instant now) {
    var end = samples.get(EXPIRY.formatted(which));
    if (end == null || end > now.getEpochSecond()) {
      return Stream.empty();
    }
    return Stream.of(
        end.isNaN()
            ? pod + " has no certificate to serve"
            : "%s serves a certificate whose %s has expired: the webhook cannot be called"
                .formatted(pod, which));
  }
}
