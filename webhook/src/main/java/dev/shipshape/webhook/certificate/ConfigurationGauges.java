package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.ServingCertificate;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Whether the API server would trust this replica's certificate, by configuration. */
final class ConfigurationGauges {
  private volatile Set<ConfigurationKind> trusting = Set.of();

  ConfigurationGauges(MeterRegistry registry) {
    for (var configuration : ConfigurationKind.values()) {
      Gauge.builder("shipshape.webhook.ca.bundle.matches", this, one -> one.value(configuration))
          .description(
              "1 where each caBundle of the configuration trusts the certificate of this replica.")
          .tag("configuration", configuration.label())
          .strongReference(true)
          .register(registry);
    }
  }

  void look(List<Registration> registrations, ServingCertificate served) {
    var found = EnumSet.noneOf(ConfigurationKind.class);
    for (var registration : registrations) {
      if (!registration.bundles().isEmpty()
          && registration.bundles().values().stream().allMatch(served::isTrustedBy)) {
        found.add(registration.kind());
      }
    }
    trusting = Set.copyOf(found);
  }

  private double value(ConfigurationKind configuration) {
    return trusting.contains(configuration) ? 1 : 0;
  }
}
