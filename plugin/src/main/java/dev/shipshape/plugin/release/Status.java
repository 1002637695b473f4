package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.restart.OperatorSettings;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.WebhookSettings;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a release is, in what a person wants to know first. Null and empty mean that it could not be
 * learned.
 *
 * @param replicas of each Deployment
 * @param ready whether every one of them is there; not so where there is no Deployment
 * @param janitorLeader the pod that leads the janitors; null where none does
 * @param index each webhook's
 * @param isAsked whether the API server can ask the webhook about writes
 * @param guards of each that the API server asks about, whether it is armed: writes of what is
 *     known invalid are refused
 * @param anybodyRecords whether whoever may write a guarded resource may write its records
 * @param pruning whether sessions are deleted
 * @param restarting whether the operator is restarted
 * @param certificateExpiry when the first of the replicas' serving certificates ends
 * @param lastPrune when a run of the pruner that deletes last ended well
 * @param lastReport when one that only reports did, since the janitors started
 * @param pruned sessions that are gone, since the janitors started
 * @param lastRestart when the operator was last restarted, by whomever
 * @param restarts by the janitors, since they started
 * @param operator how the operator is, in one line; null where there is no janitor
 * @param troubles what is wrong, a line each
 */
public record Status(
    List<String> replicas,
    boolean ready,
    @Nullable String janitorLeader,
    List<Index> index,
    boolean isAsked,
    Map<String, Boolean> guards,
    boolean anybodyRecords,
    Armed pruning,
    Armed restarting,
    @Nullable Instant certificateExpiry,
    @Nullable Instant lastPrune,
    @Nullable Instant lastReport,
    @Nullable Long pruned,
    @Nullable Instant lastRestart,
    @Nullable Long restarts,
    @Nullable String operator,
    List<String> troubles) {
  private static final String JANITOR_ARMED = "shipshape_janitor_armed";

  public Status {
    replicas = List.copyOf(replicas);
    guards = Collections.unmodifiableMap(guards);
    index = List.copyOf(index);
    troubles = List.copyOf(troubles);
  }

  /**
   * What one replica of the webhook knows.
   *
   * @param age in seconds, since it last followed the API server
   */
  public record Index(String pod, long objects, long knownInvalid, double age) {
    private static Index of(Servers.Asked webhook) {
      var metrics = webhook.metrics();
      return new Index(
          webhook.pod(),
          (long) metrics.sum("shipshape_webhook_index_objects").orElse(0),
          (long) metrics.sum("shipshape_webhook_index_known_invalid").orElse(0),
          metrics.greatest("shipshape_webhook_index_staleness_seconds").orElse(0));
    }
  }

  /**
   * Whether something is armed. A replica reads its settings when it starts, so they say what it
   * will do, and it what it does.
   *
   * @param armed how many replicas say that it is
   * @param unarmed how many say that it is not
   * @param settings what the settings say; null where they could not be read
   */
  public record Armed(long armed, long unarmed, @Nullable Boolean settings) {
    private static Armed of(
        List<Servers.Asked> servers, @Nullable Boolean settings, String metric, String... labels) {
      var said =
          servers.stream()
              .map(server -> server.metrics().sum(metric, labels))
              .flatMapToDouble(OptionalDouble::stream)
              .boxed()
              .collect(Collectors.partitioningBy(value -> value > 0, Collectors.counting()));
      return new Armed(said.getOrDefault(true, 0L), said.getOrDefault(false, 0L), settings);
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
    var servers = Servers.of(installed);
    var webhook = settings(installed, "webhook.yaml", Status::webhookSettings);
    var janitor = settings(installed, "janitor.yaml", Status::janitorSettings);
    var janitorLeader = installed.leader(Janitor.LEASE);
    var validating = installed.validating();
    var mutating = installed.mutating();
    var found = new ServerTroubles(servers, Instant.now());
    var troubles =
        Stream.of(
                installed
                    .disarmed()
                    .map(Stream::of)
                    .orElseGet(() -> guardTroubles(validating, installed.notAsWished())),
                stampTroubles(mutating),
                found.certificates(
                    new Renewal(webhook.map(WebhookSettings::certificates).orElse(null))),
                found.trust(
                    configuration ->
                        trustSomebody(configuration.equals("mutating") ? mutating : validating)),
                found.index(each -> webhook.map(read -> isServed(api, read, each)).orElse(true)),
                found.idleJanitors(),
                janitor.stream().flatMap(_ -> found.janitorLeader(janitorLeader.orElse(""))),
                installed.troubles(Instant.now()).stream())
            .flatMap(lines -> lines)
            .toList();
    return new Status(
        deployments.stream().map(Object::toString).toList(),
        !deployments.isEmpty() && deployments.stream().allMatch(Installed.Deployed::isReady),
        janitorLeader.orElse(null),
        servers.webhooks().stream().map(Index::of).toList(),
        trustSomebody(validating),
        installed.guards(),
        webhook.stream()
            .flatMap(read -> read.guards().stream())
            .map(Guard::records)
            .anyMatch(records -> records != null && records.writers().isEmpty()),
        Armed.of(
            servers.janitors(),
            janitor.map(read -> read.prune().armed()).orElse(null),
            JANITOR_ARMED,
            "task=\"prune\""),
        Armed.of(
            servers.janitors(),
            janitor.map(JanitorSettings::restartArmed).orElse(null),
            JANITOR_ARMED,
            "task=\"restart\""),
        servers.firstExpiry().orElse(null),
        servers
            .lastPrune()
            .or(() -> janitor.flatMap(read -> PruneEvents.last(api, read.operator())))
            .orElse(null),
        servers.lastReport().orElse(null),
        servers.counted("shipshape_janitor_deletions_total", "result=\"gone\"").orElse(null),
        janitor.map(read -> restartedAt(api, read)).orElse(null),
        servers.counted("shipshape_janitor_restarts_total", "outcome=\"restarted\"").orElse(null),
        janitor.map(read -> operator(api, servers, read.operator())).orElse(null),
        troubles);
  }

  private static String operator(KubernetesApi api, Servers servers, OperatorSettings operator) {
    if (api.find(operator.deploymentPath()).isEmpty()) {
      return "no Deployment %s/%s; nothing is watched"
          .formatted(operator.namespace(), operator.deployment());
    }
    var since = servers.greatest("shipshape_janitor_operator_stuck_since_timestamp_seconds");
    if (since > 0) {
      var why =
          Stream.of(RestartRefusal.values())
              .map(reason -> reason.name().toLowerCase(Locale.ROOT).replace('_', '-'))
              .filter(
                  reason ->
                      servers.greatest(
                              "shipshape_janitor_restart_refused",
                              "reason=\"%s\"".formatted(reason))
                          > 0)
              .findFirst();
      return "STUCK since %s; %s"
          .formatted(
              Instant.ofEpochSecond((long) since),
              why.map("not restarted: "::concat).orElse("it was just restarted"));
    }
    return servers.greatest("shipshape_janitor_operator_log_readable") > 0
        ? "not stuck, by its log"
        : "unknown: the leading janitor cannot read its log, or has not looked yet";
  }

  private static boolean trustSomebody(List<JsonNode> configurations) {
    return !configurations.isEmpty()
        && configurations.stream()
            .map(WebhookConfiguration::of)
            .allMatch(WebhookConfiguration::hasAuthority);
  }

  private static boolean isServed(KubernetesApi api, WebhookSettings settings, String guard) {
    return settings.guards().stream()
        .filter(each -> each.name().equals(guard))
        .map(Guard::resource)
        .allMatch(
            resource ->
                Preflight.serves(api, resource.group(), resource.version(), resource.plural()));
  }

  /** What is not stamped is checked all the same. */
  static Stream<String> stampTroubles(List<JsonNode> mutating) {
    return mutating.isEmpty()
        ? Stream.of("there is no MutatingWebhookConfiguration: nothing is stamped with its hash")
        : mutating.stream()
            .map(WebhookConfiguration::of)
            .filter(configuration -> !configuration.hasAuthority())
            .map(
                configuration ->
                    "MutatingWebhookConfiguration %s has no caBundle for stamping: the webhook cannot be asked"
                        .formatted(configuration.name()));
  }

  /** The settings say what the webhook does when it is asked; this, whether it is asked. */
  static Stream<String> guardTroubles(List<JsonNode> validating, List<String> notAsWished) {
    if (validating.isEmpty()) {
      return Stream.of(
          "there is no ValidatingWebhookConfiguration: nothing is refused, or warned of");
    }
    return Stream.concat(
        validating.stream()
            .map(WebhookConfiguration::of)
            .filter(configuration -> !configuration.hasAuthority())
            .map(
                configuration ->
                    "ValidatingWebhookConfiguration %s has no caBundle: the webhook cannot be asked"
                        .formatted(configuration.name())),
        notAsWished.stream());
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
