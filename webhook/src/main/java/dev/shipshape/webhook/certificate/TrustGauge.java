package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.ServingCertificate;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Whether the API server would trust this replica's certificate, by configuration. */
final class TrustGauge {
  private volatile Set<WebhookConfiguration> trusting = Set.of();

  TrustGauge(MeterRegistry registry) {
    for (var configuration : WebhookConfiguration.values()) {
      Gauge.builder("shipshape.webhook.ca.bundle.matches", this, one -> one.value(configuration))
          .description(
              "1 where each caBundle of the configuration trusts the certificate of this replica.")
          .tag("configuration", configuration.label())
          .strongReference(true)
          .register(registry);
    }
  }

  void look(List<Registration> registrations, ServingCertificate served) {
    var found = EnumSet.noneOf(WebhookConfiguration.class);
    for (var registration : registrations) {
      if (!registration.bundles().isEmpty()
          && registration.bundles().values().stream().allMatch(served::isTrustedBy)) {
        found.add(registration.configuration());
      }
    }
    trusting = Set.copyOf(found);
  }

  private double value(WebhookConfiguration configuration) {
    return trusting.contains(configuration) ? 1 : 0;
  }
}
