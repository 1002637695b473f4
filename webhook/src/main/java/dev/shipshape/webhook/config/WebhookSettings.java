package dev.shipshape.webhook.config;

import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Section;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.certificate.CertificateSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the webhook, {@code webhook.yaml}.
 *
 * @param listen HTTPS, for the API server
 * @param management HTTP, for probes and metrics
 * @param scope where a configuration that is known invalid is refused
 * @param staleness how long a watch may be lost
 * @param knownInvalid limits of stored KnownInvalidConfigurations
 * @param drain how long the server continues to serve after SIGTERM
 * @param drainConnections after {@code drain}, how long to wait at most until the API server closes
 *     idle connections
 * @param registration how to write the ValidatingWebhookConfiguration; null if another program
 *     writes it
 * @param certificates the source of the certificate of {@code listen}
 * @param stamp resources that are stamped without a guard
 * @param clientAuthority file with the CA certificates of clients, PEM; null if clients need no
 *     certificate
 * @param tls13Only whether TLS 1.2 is disabled. API servers in FIPS mode may need TLS 1.2
 * @param maxConnections maximum of open connections
 * @param dryRunWarnings users whose dry runs get a warning instead of a refusal
 */
public record WebhookSettings(
    Address listen,
    Address management,
    Scope scope,
    StalenessLimits staleness,
    StoreLimits knownInvalid,
    Duration drain,
    Duration drainConnections,
    @Nullable Registration registration,
    CertificateSettings certificates,
    List<Guard> guards,
    List<StampedResource> stamp,
    @Nullable Path clientAuthority,
    boolean tls13Only,
    int maxConnections,
    Events events,
    List<String> dryRunWarnings) {
  private static final int DEFAULT_PORT = 8443;
  private static final int DEFAULT_MANAGEMENT_PORT = 8080;
  private static final int DEFAULT_CONNECTIONS = 1_000;
  private static final int MAX_CONNECTIONS = 100_000;

  public WebhookSettings {
    guards = List.copyOf(guards);
    stamp = List.copyOf(stamp);
    dryRunWarnings = List.copyOf(dryRunWarnings);
  }

  /** The time that a shutdown takes at most, without the last responses. */
  public Duration maxDrain() {
    return drain.plus(drainConnections);
  }

  /**
   * How to write the ValidatingWebhookConfiguration.
   *
   * @param configMap the ConfigMap with the desired configuration, in the pod's namespace
   * @param service the Service through which the API server calls the replicas, in the pod's
   *     namespace
   * @param proofEvery interval between checks that the API server calls the webhook
   */
  public record Registration(String configMap, String service, Duration proofEvery) {
    private static Registration from(Section section) {
      return new Registration(
          section.required("configMap"),
          section.required("service"),
          section.duration("proofEvery", Duration.ofSeconds(30)));
    }
  }

  /**
   * Kubernetes Events about refusals.
   *
   * @param every minimum interval between Events for the same object
   */
  public record Events(boolean enabled, Duration every) {
    private static Events from(Section section) {
      return new Events(
          section.flag("enabled", true), section.duration("every", Duration.ofMinutes(10)));
    }
  }

  /** An address to listen on; port 0 is any free one. */
  public record Address(String host, int port) {
    private static final int HIGHEST_PORT = 65535;

    private static Address from(Section section, int defaultPort) {
      return new Address(
          section.text("host", "0.0.0.0"), section.integer("port", defaultPort, 0, HIGHEST_PORT));
    }
  }

  /** Reads a file; the exception has every mistake, by file, line and field. */
  public static WebhookSettings read(Path file) throws BadSettings {
    return SettingsReader.read(file, WebhookSettings::from);
  }

  /** Reads a text that messages call {@code file}; the exception has every mistake in it. */
  public static WebhookSettings parse(String file, String yaml) throws BadSettings {
    return SettingsReader.parse(file, yaml, WebhookSettings::from);
  }

  private static boolean isTls13(String text) {
    if (!text.equals("1.2") && !text.equals("1.3")) {
      throw new IllegalArgumentException("must be 1.2 or 1.3, not " + text);
    }
    return text.equals("1.3");
  }

  private static StalenessLimits staleness(Section section) {
    var limits =
        new StalenessLimits(
            section.duration("unready", Duration.ofSeconds(30)),
            section.duration("refuse", Duration.ofMinutes(5)));
    if (limits.refuse().compareTo(limits.unready()) < 0) {
      section.problem("refuse", "must not be shorter than unready");
    }
    return limits;
  }

  private static WebhookSettings from(Section top) {
    var guards = GuardReader.read(top);
    if (guards.isEmpty()) {
      top.problem("guards", "must name at least one guard, such as {preset: nodeconfig}");
    }
    guards.stream()
        .map(guard -> StampedResource.refusalOf(guard.resource().toString()))
        .flatMap(Optional::stream)
        .forEach(refusal -> top.problem("guards", refusal));
    var revisions =
        guards.stream().map(Guard::revisions).filter(Objects::nonNull).map(RevisionLink::guard);
    var named = new HashSet<String>();
    revisions.forEach(
        name -> {
          if (guards.stream().noneMatch(guard -> guard.name().equals(name))) {
            top.problem("guards", "no guard has the name in revisions.guard: " + name);
          }
          if (!named.add(name)) {
            top.problem("guards", "two guards have the same revisions.guard: " + name);
          }
        });
    return new WebhookSettings(
        Address.from(top.section("listen"), DEFAULT_PORT),
        Address.from(top.section("management"), DEFAULT_MANAGEMENT_PORT),
        top.choice("scope", Scope.CLUSTER),
        staleness(top.section("staleness")),
        StoreLimits.from(top.section("knownInvalid")),
        top.duration("drain", Duration.ofSeconds(10)),
        top.duration("drainConnections", Duration.ofSeconds(95)),
        top.has("registration") ? Registration.from(top.section("registration")) : null,
        CertificateSettings.from(top.section("certificates")),
        guards,
        top.sections("stamp").stream().map(StampedResource::from).toList(),
        top.section("clientAuthority").text("file").map(Path::of).orElse(null),
        top.parsed("minimumTls", false, WebhookSettings::isTls13),
        top.integer("connections", DEFAULT_CONNECTIONS, 1, MAX_CONNECTIONS),
        Events.from(top.section("events")),
        top.texts("dryRunWarnings"));
  }
}
