package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica is told to stop while calls come in on kept connections. Callers choose a replica as
 * the API server does by its endpoints: one that was ready when they last looked.
 */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(120)
class DrainUnderLoadTest {
  private static final int CALLERS = 8;
  private static final int CALLS_AFTERWARDS = 200;

  private final CertificateSource certificates = TestingCertificates.forLoopback();
  private final String review = creation(nodeConfig("worker-1", "{}"));
  private final Queue<String> lost = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answered = new AtomicInteger();

  @Promise(
      value = "A rolling restart loses no call.",
      breaks = "Closing the port before the API server closes its connections.")
  @Test
  void noCallIsLost(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    try (var api = Api.asAdministrator(cluster)) {
      InstalledWebhook.define(api);
      var user = names.name("webhook");
      InstalledWebhook.grant(api, user);
      var settings = InstalledWebhook.settings("drain: 3s\ndrainConnections: 1s\n");
      try (var client = InstalledWebhook.client(cluster, folder, user);
          var leaving = WebhookServer.start(settings, certificates, client);
          var staying = WebhookServer.start(settings, certificates, client)) {
        eventually(() -> assertThat(leaving.notReadyReason()).isEmpty());
        eventually(() -> assertThat(staying.notReadyReason()).isEmpty());
        var stop = new CountDownLatch(1);
        var callers = new ArrayList<Thread>();
        for (var count = 0; count < CALLERS; count++) {
          callers.add(Thread.ofPlatform().start(() -> callUntil(stop, leaving, staying)));
        }
        eventually(() -> assertThat(answered).hasValueGreaterThan(CALLS_AFTERWARDS));

        leaving.drain();

        var then = answered.get();
        eventually(() -> assertThat(answered).hasValueGreaterThan(then + CALLS_AFTERWARDS));
        stop.countDown();
        for (var caller : callers) {
          caller.join();
        }
      }
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void aConnectionThatTheApiServerKeepsIsNotClosedUnderItsNextCall(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    try (var api = Api.asAdministrator(cluster)) {
      InstalledWebhook.define(api);
      var user = names.name("webhook");
      InstalledWebhook.grant(api, user);
      var tls = ClientContext.of(certificates.current().bundle(), null);
      try (var client = InstalledWebhook.client(cluster, folder, user);
          var leaving =
              WebhookServer.start(InstalledWebhook.settings("drain: 0s\n"), certificates, client)) {
        eventually(() -> assertThat(leaving.notReadyReason()).isEmpty());
        var drained = Thread.ofVirtual().unstarted(leaving::drain);
        try (var kept = new RawClient(tls, leaving.port())) {
          assertThat(kept.send(RawClient.request(review)).answer()).startsWith("HTTP/1.1 200");

          drained.start();

          assertThat(kept.isLeftOpenFor(Duration.ofSeconds(2))).isTrue();
          assertThat(kept.send(RawClient.request(review)).answer())
              .startsWith("HTTP/1.1 200")
              .containsIgnoringCase("\r\nConnection: close\r\n");
        }
        assertThat(drained.join(Duration.ofSeconds(20))).isTrue();
      }
    }
  }

  private void callUntil(CountDownLatch stop, WebhookServer leaving, WebhookServer staying) {
    try (var preferred = Caller.of(leaving, certificates);
        var other = Caller.of(staying, certificates)) {
      while (stop.getCount() > 0) {
        // Endpoints lag behind: what was ready a moment ago is still called.
        for (var caller :
            leaving.notReadyReason().isEmpty() ? List.of(preferred, other) : List.of(other)) {
          call(caller);
        }
      }
    }
  }

  private void call(Caller caller) {
    try {
      var answer = caller.validate(review);
      if (answer.statusCode() == 200 && answer.body().contains("\"allowed\":true")) {
        answered.incrementAndGet();
      } else {
        lost.add(answer.statusCode() + " " + answer.body());
      }
    } catch (ConnectException e) {
      lost.add("no connection: " + e);
    } catch (IOException e) {
      lost.add("cut off: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
