package dev.shipshape.webhook;

import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.webhook.server.AdmissionServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.function.Function;

final class CertificateMetrics {
  private CertificateMetrics() {}

  static void register(MeterRegistry registry, AdmissionServer admission) {
    time(registry, admission, "start", "leaf", ServingCertificate::notBefore);
    time(registry, admission, "start", "authority", ServingCertificate::authorityNotBefore);
    time(registry, admission, "expiry", "leaf", served -> served.pair().notAfter());
    time(registry, admission, "expiry", "authority", ServingCertificate::authorityNotAfter);
  }

  private static void time(
      MeterRegistry registry,
      AdmissionServer admission,
      String what,
      String certificate,
      Function<ServingCertificate, Instant> time) {
    Gauge.builder(
            "shipshape.webhook.certificate." + what + ".timestamp",
            admission,
            // NaN while the placeholder certificate is served, whose times have no meaning.
            server ->
                server.servedCertificate().isPlaceholder()
                    ? Double.NaN
                    : time.apply(server.servedCertificate()).getEpochSecond())
        .baseUnit("seconds")
        .description("Validity of the served certificate and its authority.")
        .tag("certificate", certificate)
        .register(registry);
  }
}
