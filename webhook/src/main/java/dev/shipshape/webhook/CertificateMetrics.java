package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.webhook.server.AdmissionServer;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.function.Function;

/** The figures on the certificate that is served. */
final class CertificateMetrics {
  private final MeterRegistry registry;
  private final AdmissionServer admission;
  private final CertificateSource certificates;

  private CertificateMetrics(
      MeterRegistry registry, AdmissionServer admission, CertificateSource certificates) {
    this.registry = registry;
    this.admission = admission;
    this.certificates = certificates;
  }

  static void register(
      MeterRegistry registry, AdmissionServer admission, CertificateSource certificates) {
    var metrics = new CertificateMetrics(registry, admission, certificates);
    metrics.start("leaf", ServingCertificate::notBefore);
    metrics.start("authority", ServingCertificate::authorityNotBefore);
    metrics.expiry("leaf", served -> served.pair().notAfter());
    metrics.expiry("authority", ServingCertificate::authorityNotAfter);
    FunctionCounter.builder(
            "shipshape.webhook.certificate.reloads", admission, AdmissionServer::reloads)
        .description("Certificates that were taken over while running.")
        .register(registry);
    FunctionCounter.builder(
            "shipshape.webhook.certificate.reload.failures",
            admission,
            of -> of.reloadFailures() + (double) certificates.refusals())
        .description("Certificates that could not be taken over; the one before went on.")
        .register(registry);
  }

  private void start(String which, Function<ServingCertificate, Instant> time) {
    time("start", "When the certificate that is served, or its authority, begins.", which, time);
  }

  private void expiry(String which, Function<ServingCertificate, Instant> time) {
    time("expiry", "When the certificate that is served, or its authority, ends.", which, time);
  }

  /** Not a number while there is only a stand-in, whose times mean nothing. */
  private void time(
      String name, String description, String which, Function<ServingCertificate, Instant> time) {
    Gauge.builder(
            "shipshape.webhook.certificate." + name + ".timestamp",
            admission,
            of ->
                certificates.notReadyReason().isPresent()
                    ? Double.NaN
                    : time.apply(of.served()).getEpochSecond())
        .baseUnit("seconds")
        .description(description)
        .tag("certificate", which)
        .register(registry);
  }
}
