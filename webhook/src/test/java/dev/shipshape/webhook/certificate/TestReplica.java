package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.Life;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The certificates of one replica, by a clock that a test moves. */
final class TestReplica implements AutoCloseable {
  static final Life AUTHORITY = Life.of(Duration.ofDays(360));
  static final Life LEAF = Life.of(Duration.ofDays(90));

  /** Long enough to see that it is waited for. */
  static final Duration PROPAGATION = Duration.ofHours(1);

  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final SelfManagedCertificates certificates;
  private volatile boolean leads;
  private volatile Duration ahead = Duration.ZERO;
  private volatile Duration apiServerAhead = Duration.ZERO;

  TestReplica(TestNamespace namespace, boolean leads) {
    this.leads = leads;
    InstantSource own = () -> Instant.now().plus(ahead);
    InstantSource apiServer = () -> Instant.now().plus(apiServerAhead);
    this.certificates =
        new SelfManagedCertificates(
            namespace.settings(AUTHORITY, LEAF),
            namespace.client(),
            () -> this.leads,
            new SelfManagedCertificates.Timing(own, apiServer, PROPAGATION, Duration.ofMillis(500)),
            registry);
    certificates.start();
  }

  void lead() {
    leads = true;
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

  double matches(WebhookConfiguration configuration) {
    return registry
        .get("shipshape.webhook.ca.bundle.matches")
        .tag("configuration", configuration.label())
        .gauge()
        .value();
  }

  @Override
  public void close() {
    certificates.close();
  }
}
