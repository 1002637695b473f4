package dev.shipshape.webhook.certificate;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The certificates of one replica, by a clock that a test moves. */
final class TestReplica implements AutoCloseable {
  static final Duration AUTHORITY = Duration.ofDays(360);
  static final Duration LEAF = Duration.ofDays(90);

  /** Long enough to see that it is waited for. */
  static final Duration PROPAGATION = Duration.ofHours(1);

  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final SelfManagedCertificates certificates;
  private final WebhookConfigurations configurations;
  private volatile Duration ahead = Duration.ZERO;
  private volatile Duration apiServerAhead = Duration.ZERO;

  TestReplica(TestNamespace namespace) {
    InstantSource own = () -> Instant.now().plus(ahead);
    InstantSource apiServer = () -> Instant.now().plus(apiServerAhead);
    var settings = namespace.settings(AUTHORITY, LEAF);
    this.configurations =
        WebhookConfigurations.watch(namespace.client(), settings.configurations());
    this.certificates =
        new SelfManagedCertificates(
            settings,
            namespace.client(),
            configurations,
            new SelfManagedCertificates.Timing(
                own, apiServer, PROPAGATION, Duration.ofMillis(200)));
    configurations.register(registry, certificates, own);
  }

  /** Time goes by, everywhere. */
  void passes(Duration time) {
    apiServerAhead = apiServerAhead.plus(time);
    ahead = ahead.plus(time);
  }

  /** Our clock alone jumps. */
  void jumps(Duration time) {
    ahead = ahead.plus(time);
  }

  Instant now() {
    return Instant.now().plus(ahead);
  }

  String served() {
    return certificates.current().pair().certificate();
  }

  double matches(ConfigurationKind configuration) {
    return registry
        .get("shipshape.webhook.ca.bundle.matches")
        .tag("configuration", configuration.label())
        .gauge()
        .value();
  }

  @Override
  public void close() {
    certificates.close();
    configurations.close();
  }
}
