package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.function.Function;

/** The figures on the certificate that is served. */
final class CertificateMetrics {
  private CertificateMetrics() {}

  static void register(
      MeterRegistry registry, AdmissionServer admission, CertificateSource certificates) {
    expiry(registry, "leaf", admission, certificates, served -> served.pair().notAfter());
    expiry(registry, "authority", admission, certificates, ServingCertificate::authorityNotAfter);
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

  /** Not a number while there is only a stand-in, whose end means nothing. */
  private static void expiry(
      MeterRegistry registry,
      String which,
      AdmissionServer admission,
      CertificateSource certificates,
      Function<ServingCertificate, Instant> end) {
    Gauge.builder(
            "shipshape.webhook.certificate.expiry.timestamp",
            admission,
            of ->
                certificates.missing().isPresent()
                    ? Double.NaN
                    : end.apply(of.served()).getEpochSecond())
        .baseUnit("seconds")
        .description("When the certificate that is served, or its authority, ends.")
        .tag("certificate", which)
        .register(registry);
  }
}
