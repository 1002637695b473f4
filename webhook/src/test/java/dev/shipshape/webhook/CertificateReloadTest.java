package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.certs.ServingCertificate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A new certificate is served without a restart, and costs no connection. */
@Timeout(90)
class CertificateReloadTest {
  private static final String GOOD = RawClient.request(creation(nodeConfig("worker-1", "{}")));

  @Test
  void aNewCertificateIsServedSoonAndOpenConnectionsGoOn() throws Exception {
    var first = TestingCertificates.forLoopback().current();
    var second = TestingCertificates.forLoopback().current();
    var current = new AtomicReference<>(first);
    var vertx = Vertx.vertx();
    try (var workers = new DecisionWorkers(1)) {
      var metrics = new AdmissionMetrics(new SimpleMeterRegistry());
      var entry =
          new AdmissionEntry(Entry.VALIDATE, Mode.ENFORCE, TestingDoor.validating(), metrics);
      var door = new AdmissionDoor(vertx, List.of(entry), metrics, workers, () -> false);
      var address = new WebhookSettings.Address("127.0.0.1", 0);
      var port = AdmissionServer.start(vertx, address, current::get, door, 2).port();
      try (var open = trusting(first, port)) {
        assertThat(open.send(GOOD).answer()).contains("\"allowed\":true");

        current.set(second);

        // On every listener, so several times in a row.
        for (var attempt = 0; attempt < 4; attempt++) {
          eventually(() -> assertServed(second, port));
        }
        assertThat(open.send(GOOD).answer()).contains("\"allowed\":true");
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  @Test
  void whatStandsInForTheCertificateIsMissedUntilItIsServed() throws Exception {
    var certificate = TestingCertificates.forLoopback().current();
    var source = new Late(TestingCertificates.forLoopback().current());
    var vertx = Vertx.vertx();
    try (var workers = new DecisionWorkers(1)) {
      var metrics = new AdmissionMetrics(new SimpleMeterRegistry());
      var door = new AdmissionDoor(vertx, List.of(), metrics, workers, () -> false);
      var address = new WebhookSettings.Address("127.0.0.1", 0);
      var server = AdmissionServer.start(vertx, address, source, door, 2);
      assertThat(server.missing()).isPresent();

      source.load(certificate);

      eventually(() -> assertThat(server.missing()).isEmpty());
      assertThat(server.served()).isEqualTo(certificate);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  /** Has a certificate only some time after its start. */
  private static final class Late implements CertificateSource {
    private final ServingCertificate standIn;
    private volatile @Nullable ServingCertificate loaded;

    Late(ServingCertificate standIn) {
      this.standIn = standIn;
    }

    void load(ServingCertificate certificate) {
      loaded = certificate;
    }

    @Override
    public ServingCertificate current() {
      return requireNonNullElse(loaded, standIn);
    }

    @Override
    public Optional<String> missing() {
      return loaded == null ? Optional.of("not loaded") : Optional.empty();
    }
  }

  private static void assertServed(ServingCertificate certificate, int port) {
    try (var client = trusting(certificate, port)) {
      assertThat(client.send(GOOD).answer()).contains("\"allowed\":true");
    } catch (IOException e) {
      throw new AssertionError("not served yet", e);
    }
  }

  private static RawClient trusting(ServingCertificate certificate, int port) throws IOException {
    return new RawClient(ClientContext.trusting(certificate.bundle()), port);
  }
}
