package dev.shipshape.webhook.certificate;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ServerClock;
import dev.shipshape.webhook.WebhookServer;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two replicas and several authorities one after the other, in fast motion and by the real clock:
 * the API server calls both replicas all the while, and new connections are made all the while.
 */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(ControlPlaneExtension.class)
class RotationUnderLoadTest {
  private static final Duration AUTHORITY = Duration.ofSeconds(15);
  private static final Duration LEAF = Duration.ofSeconds(9);
  private static final int AUTHORITIES = 3;
  private static final Duration PAUSE = Duration.ofMillis(100);

  @Promise(
      value = "Renewing a certificate loses no call.",
      breaks = "Rebinding the port for the new certificate.")
  @Test
  @Timeout(value = 4, unit = TimeUnit.MINUTES)
  void rotationsLoseNoCallAndNoHandshake(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    try (var namespace = new TestNamespace(cluster, names, folder);
        var one = new Replica(namespace);
        var two = new Replica(namespace)) {
      eventually(() -> assertThat(one.server.notReadyReason()).isEmpty());
      eventually(() -> assertThat(two.server.notReadyReason()).isEmpty());
      namespace.register(one.server.port(), two.server.port());
      eventually(() -> assertThat(namespace.bundle()).isNotEmpty());
      eventually(() -> assertThat(CallLoad.call(namespace)).isEmpty());

      try (var calls = CallLoad.start(namespace, 3);
          var handshakes = HandshakeLoad.start(namespace, one.server.port(), two.server.port())) {
        var authorities = watchAuthorities(namespace);

        assertThat(calls.failures()).isEmpty();
        assertThat(handshakes.failures()).isEmpty();
        assertThat(calls.count()).isGreaterThan(50);
        assertThat(handshakes.count()).isGreaterThan(50);
        assertThat(authorities).hasSizeGreaterThanOrEqualTo(AUTHORITIES);
        assertThat(handshakes.leaves()).as("served by each").hasSizeGreaterThan(AUTHORITIES);
        assertThat(handshakes.slowest()).isLessThan(Duration.ofSeconds(15));
        System.out.printf(
            "%d calls, %d handshakes, %d authorities, %d leaves, served after %s at most%n",
            calls.count(),
            handshakes.count(),
            authorities.size(),
            handshakes.leaves().size(),
            handshakes.slowest());
      }
    }
  }

  /** Goes on until there were enough, and the first one has left the bundle. */
  private static SequencedSet<String> watchAuthorities(TestNamespace namespace) throws Exception {
    var seen = new LinkedHashSet<String>();
    var deadline = Instant.now().plus(Duration.ofMinutes(2));
    while (seen.size() < AUTHORITIES || namespace.bundle().contains(seen.getFirst())) {
      assertThat(Instant.now()).as("seen so far: %d", seen.size()).isBefore(deadline);
      seen.add(newest(namespace.stored().bundle()));
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return seen;
  }

  private static String newest(String bundle) {
    var end = "-----END CERTIFICATE-----";
    return bundle.substring(0, bundle.indexOf(end) + end.length());
  }

  /** A replica as the program makes one, but for its lives. */
  private static final class Replica implements AutoCloseable {
    private final KubernetesClient client;
    private final WebhookConfigurations configurations;
    private final SelfManagedCertificates certificates;
    final WebhookServer server;

    Replica(TestNamespace namespace) throws Exception {
      client = namespace.client();
      configurations =
          WebhookConfigurations.watch(client, namespace.settings(AUTHORITY, LEAF).configurations());
      certificates =
          new SelfManagedCertificates(
              namespace.settings(AUTHORITY, LEAF),
              client,
              configurations,
              new SelfManagedCertificates.Timing(
                  InstantSource.system(),
                  () -> ServerClock.read(client),
                  Duration.ofSeconds(1),
                  Duration.ofMillis(500)));
      var settings =
          WebhookSettings.parse(
              "webhook.yaml",
              """
              apiVersion: shipshape.dev/v1
              listen: {host: 127.0.0.1, port: 0}
              management: {host: 127.0.0.1, port: 0}
              guards:
              - name: things
                resource: {group: example.com, version: v1, plural: things, kind: Thing}
                stampOnly: true
                identity: {content: spec}
              """);
      server = WebhookServer.start(settings, certificates, client);
    }

    @Override
    public void close() {
      certificates.close();
      server.close();
      configurations.close();
    }
  }
}
