package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.server.AdmissionServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A new certificate is served without a restart, and costs no connection. */
@ExtendWith(VertxExtension.class)
@Timeout(90)
class CertificateReloadTest {
  private static final String GOOD = RawClient.request(creation(nodeConfig("worker-1", "{}")));

  @Test
  void whatStandsInForTheCertificateIsMissedUntilItIsServed(Vertx vertx) throws Exception {
    var certificate = TestingCertificates.forLoopback().current();
    var current = new AtomicReference<>(new ServingCertificate(certificate.pair(), ""));
    var server = serve(vertx, current::get);
    assertThat(server.notReadyReason()).isPresent();

    current.set(certificate);

    eventually(() -> assertThat(server.notReadyReason()).isEmpty());
    assertThat(server.servedCertificate()).isEqualTo(certificate);
  }

  @Test
  void aSourceThatFailsForAWhileIsOneFailureAndTheOldCertificateGoesOn(Vertx vertx)
      throws Exception {
    var first = TestingCertificates.forLoopback().current();
    var second = TestingCertificates.forLoopback().current();
    var broken = new AtomicBoolean();
    var asked = new AtomicInteger();
    var current = new AtomicReference<>(first);
    CertificateSource source =
        () -> {
          asked.incrementAndGet();
          if (broken.get()) {
            throw new IllegalStateException("half written");
          }
          return current.get();
        };
    var server = serve(vertx, source);

    try (var log = new CapturedLog()) {
      broken.set(true);
      var before = asked.get();
      eventually(() -> assertThat(asked.get()).isGreaterThan(before + 3));
      assertServed(first, server.port());
      assertThat(log.lines("half written")).hasSize(1);
    }
    current.set(second);
    broken.set(false);

    eventually(() -> assertServed(second, server.port()));
  }

  private static AdmissionServer serve(Vertx vertx, CertificateSource source) {
    var metrics = new AdmissionMetrics(new SimpleMeterRegistry());
    var endpoint =
        new AdmissionEndpoint(Endpoint.VALIDATE, TestingServer.validating(), metrics, List.of());
    var handler =
        AdmissionRoutes.router(
            vertx, List.of(endpoint), metrics, () -> false, AdmissionRoutes.bodyMemory());
    var address = new WebhookSettings.Address("127.0.0.1", 0);
    return AdmissionServer.start(vertx, address, source, null, TestingServer.USUAL, handler, 2);
  }

  private static void assertServed(ServingCertificate certificate, int port) {
    try (var client = trusting(certificate, port)) {
      assertThat(client.send(GOOD).answer()).contains("\"allowed\":true");
    } catch (IOException e) {
      throw new AssertionError("not served yet", e);
    }
  }

  private static RawClient trusting(ServingCertificate certificate, int port) throws IOException {
    return new RawClient(ClientContext.of(certificate.bundle(), null), port);
  }
}
