package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.Mode;
import dev.shipshape.webhook.WebhookServer;
import dev.shipshape.webhook.WebhookSettings;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a release is, in what a person wants to know first. Null and empty mean that it could not be
 * learned.
 *
 * @param replicas of each Deployment
 * @param ready whether every one of them is there; not so where there is no Deployment
 * @param webhookLeader the pod that leads the webhooks; null where none does
 * @param janitorLeader the pod that leads the janitors; null where none does
 * @param index each webhook's
 * @param armed what shipshape may do by its settings
 * @param certificateExpiry when the serving certificate ends
 * @param lastPrune when a run of the pruner last ended well
 * @param pruned sessions that are gone, since the janitors started
 * @param lastRestart when the operator was last restarted, by whomever
 * @param restarts by the janitors, since they started
 * @param troubles what is wrong, a line each
 */
public record Status(
    List<String> replicas,
    boolean ready,
    @Nullable String webhookLeader,
    @Nullable String janitorLeader,
    List<Index> index,
    Armed armed,
    @Nullable Instant certificateExpiry,
    @Nullable Instant lastPrune,
    long pruned,
    @Nullable Instant lastRestart,
    long restarts,
    List<String> troubles) {
  private static final int WEBHOOK_PORT = 8080;
  private static final int JANITOR_PORT = 8081;

  public Status {
    replicas = List.copyOf(replicas);
    index = List.copyOf(index);
    troubles = List.copyOf(troubles);
  }

  /**
   * What one replica of the webhook knows.
   *
   * @param age in seconds, since it last followed the API server
   */
  public record Index(String pod, long objects, long knownInvalid, double age) {
    private static Index of(String pod, Exposition metrics) {
      return new Index(
          pod,
          (long) metrics.sum("shipshape_webhook_index_objects").orElse(0),
          (long) metrics.sum("shipshape_webhook_index_known_invalid").orElse(0),
          metrics.greatest("shipshape_webhook_index_staleness_seconds").orElse(0));
    }
  }

  /** Each is null where its settings could not be read. */
  public record Armed(
      @Nullable Boolean guard, @Nullable Boolean pruning, @Nullable Boolean restarts) {}

  private record Servers(List<Index> index, List<Exposition> webhooks, List<Exposition> janitors) {
    @Nullable Instant time(List<Exposition> of, String metric, String... labels) {
      return of.stream()
          .map(metrics -> metrics.greatest(metric, labels))
          .flatMap(value -> value.stream().boxed())
          .filter(seconds -> seconds > 0)
          .max(Double::compare)
          .map(seconds -> Instant.ofEpochSecond(seconds.longValue()))
          .orElse(null);
    }

    long sum(String metric, String... labels) {
      return (long)
          janitors.stream()
              .map(metrics -> metrics.sum(metric, labels))
              .flatMapToDouble(OptionalDouble::stream)
              .sum();
    }
  }

  /**
   * Asks the cluster.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where the API server gives no answer
   */
  public static Status of(KubernetesApi api, Release release) {
    var installed = new Installed(api, release);
    var deployments = installed.deployments();
    var servers = servers(installed);
    var webhook = settings(installed, "webhook.yaml", Status::webhookSettings);
    var janitor = settings(installed, "janitor.yaml", Status::janitorSettings);
    return new Status(
        deployments.stream().map(Object::toString).toList(),
        !deployments.isEmpty() && deployments.stream().allMatch(Installed.Deployed::isReady),
        installed
            .leader(WebhookServer.LEASE)
            .or(() -> installed.leader(WebhookServer.MEMORY_LEASE))
            .orElse(null),
        installed.leader(Janitor.LEASE).orElse(null),
        servers.index(),
        new Armed(
            webhook.map(read -> read.mode() == Mode.ENFORCE).orElse(null),
            janitor.map(read -> read.prune().armed()).orElse(null),
            janitor.map(JanitorSettings::restartArmed).orElse(null)),
        servers.time(
            servers.webhooks(),
            "shipshape_webhook_certificate_expiry_timestamp_seconds",
            "certificate=\"leaf\""),
        servers.time(servers.janitors(), "shipshape_janitor_prune_last_success_timestamp_seconds"),
        servers.sum("shipshape_janitor_deletions_total", "result=\"gone\""),
        janitor.map(read -> restartedAt(api, read)).orElse(null),
        servers.sum("shipshape_janitor_restarts_total", "outcome=\"restarted\""),
        Stream.concat(
                guardTroubles(
                    webhook.isPresent() && webhook.get().mode() == Mode.ENFORCE,
                    installed.validating()),
                installed.troubles(Instant.now()).stream())
            .toList());
  }

  /** The settings say what the webhook does when it is asked; this, whether it is asked. */
  static Stream<String> guardTroubles(boolean armed, List<JsonNode> validating) {
    if (validating.isEmpty()) {
      return Stream.of(
          "there is no ValidatingWebhookConfiguration: nothing is refused, or warned of");
    }
    return validating.stream()
        .map(WebhookConfiguration::of)
        .flatMap(
            configuration ->
                Stream.of(
                        configuration.hasAuthority()
                            ? null
                            : "%s has no caBundle: the webhook cannot be asked",
                        armed && !configuration.failsClosed()
                            ? "%s has not failurePolicy Fail, though the guard is armed: writes"
                                + " pass while the webhook cannot be asked"
                            : null)
                    .filter(Objects::nonNull)
                    .map(trouble -> trouble.formatted(configuration.name())));
  }

  private static Servers servers(Installed installed) {
    var index = new ArrayList<Index>();
    var webhooks = new ArrayList<Exposition>();
    var janitors = new ArrayList<Exposition>();
    for (var pod : installed.pods()) {
      var name = pod.at("/metadata/name").asText();
      installed
          .metrics(name, WEBHOOK_PORT)
          .ifPresent(
              metrics -> {
                index.add(Index.of(name, metrics));
                webhooks.add(metrics);
              });
      installed.metrics(name, JANITOR_PORT).ifPresent(janitors::add);
    }
    return new Servers(index, webhooks, janitors);
  }

  private static <T> Optional<T> settings(
      Installed installed, String file, Function<String, @Nullable T> read) {
    return installed.settings().stream()
        .map(configMap -> configMap.path("data").path(file).asText(""))
        .filter(text -> !text.isEmpty())
        .map(read)
        .filter(Objects::nonNull)
        .findFirst();
  }

  private static @Nullable WebhookSettings webhookSettings(String yaml) {
    try {
      return WebhookSettings.parse("webhook.yaml", yaml);
    } catch (BadSettings e) {
      return null; // Of another version; the pods say themselves what they make of it.
    }
  }

  private static @Nullable JanitorSettings janitorSettings(String yaml) {
    try {
      return JanitorSettings.parse("janitor.yaml", yaml);
    } catch (BadSettings e) {
      return null; // Of another version; the pods say themselves what they make of it.
    }
  }

  private static @Nullable Instant restartedAt(KubernetesApi api, JanitorSettings settings) {
    var operator = settings.operator();
    return api.find(
            "/apis/apps/v1/namespaces/%s/deployments/%s"
                .formatted(operator.namespace(), operator.deployment()))
        .map(Status::restartedAt)
        .orElse(null);
  }

  private static @Nullable Instant restartedAt(JsonNode deployment) {
    var text =
        deployment
            .at("/spec/template/metadata/annotations")
            .path("kubectl.kubernetes.io/restartedAt")
            .asText("");
    try {
      return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
