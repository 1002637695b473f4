package dev.shipshape.webhook;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.webhook.server.AdmissionServer;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;

/** The figures on the certificate that is served. */
final class CertificateMetrics {
  private CertificateMetrics() {}

  static void register(
      MeterRegistry registry, AdmissionServer admission, CertificateSource certificates) {
    Map<String, Map<String, Function<ServingCertificate, Instant>>> times =
        Map.of(
            "start",
            Map.of(
                "leaf", ServingCertificate::notBefore,
                "authority", ServingCertificate::authorityNotBefore),
            "expiry",
            Map.of(
                "leaf",
                served -> served.pair().notAfter(),
                "authority",
                ServingCertificate::authorityNotAfter));
    times.forEach(
        (name, ofWhich) ->
            ofWhich.forEach(
                (which, time) ->
                    Gauge.builder(
                            "shipshape.webhook.certificate." + name + ".timestamp",
                            // Not a number while a stand-in is served, whose times mean nothing.
                            () ->
                                admission.served().isStandIn()
                                    ? Double.NaN
                                    : time.apply(admission.served()).getEpochSecond())
                        .baseUnit("seconds")
                        .description(
                            "When the certificate that is served, or its authority, begins or"
                                + " ends.")
                        .tag("certificate", which)
                        .register(registry)));
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
}
