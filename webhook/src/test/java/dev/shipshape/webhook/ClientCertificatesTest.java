package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Who may call, where the API server shows a certificate. */
@ExtendWith(VertxExtension.class)
@Timeout(60)
class ClientCertificatesTest {
  private static final Duration LIFE = Duration.ofDays(1);
  private static final String GOOD = RawClient.request(creation(nodeConfig("worker-1", "{}")));

  private final Authority authority = Authority.create("callers", LIFE, InstantSource.system());
  private final Authority other = Authority.create("others", LIFE, InstantSource.system());

  private Path file;
  private TestingServer server;

  @BeforeEach
  void start(Vertx vertx, @TempDir Path folder) throws Exception {
    file = folder.resolve("ca.crt");
    Files.writeString(file, authority.certificate());
    server = serverFor(vertx, file);
  }

  @Test
  void whoeverShowsNoCertificateOrAnotherAuthoritysIsNotHeard() {
    assertTurnedAwayInTheHandshake(server.trust());
    assertTurnedAwayInTheHandshake(presenting(other, "kube-apiserver"));
  }

  @Test
  void aNewAuthorityCountsForOpenResumedAndNewConnections() throws Exception {
    var old = presenting(authority, "kube-apiserver");
    try (var open = new RawClient(old, server.port())) {
      assertThat(open.send(GOOD).answer()).contains("\"allowed\":true");

      Files.writeString(file, other.certificate());

      eventually(() -> assertCalls(presenting(other, "second")));
      assertTurnedAwayInTheHandshake(old);
      assertThat(open.untilClosed()).isEmpty();
    }
  }

  @Test
  void anUnreadableNewAuthorityLeavesTheOldOne() throws Exception {
    for (var content : List.of("x", "-----BEGIN CERTIFICATE-----\nAAAA\n")) {
      try (var log = new CapturedLog()) {
        Files.writeString(file, content);
        eventually(() -> assertThat(log.text()).contains("so the old one stays in use"));
      }
      assertCalls(presenting(authority, "second"));
    }
  }

  private void assertCalls(SSLContext tls) {
    try (var client = new RawClient(tls, server.port())) {
      assertThat(client.send(GOOD).answer()).contains("\"allowed\":true");
    } catch (IOException e) {
      throw new AssertionError("not taken over yet", e);
    }
  }

  @Test
  void anAuthorityThatIsNoneIsOneClearLineAtTheStart(Vertx vertx, @TempDir Path folder)
      throws Exception {
    var nowhere = folder.resolve("no.crt");

    assertThatThrownBy(() -> serverFor(vertx, nowhere))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("clientAuthority.file")
        .hasMessageContaining("no.crt");

    Files.writeString(nowhere, "a key");
    assertThatThrownBy(() -> serverFor(vertx, nowhere))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("clientAuthority.file")
        .hasMessageNotContaining("listen.port");
  }

  private static TestingServer serverFor(Vertx vertx, Path authority) throws Exception {
    return new TestingServer(
        vertx,
        TestingServer.validating(),
        TestingServer.stamping(),
        TestingServer.USUAL,
        authority,
        AdmissionRoutes.bodyMemory(),
        1);
  }

  /** In TLS 1.3 the client learns of it when it reads. */
  private void assertTurnedAwayInTheHandshake(SSLContext tls) {
    assertThatThrownBy(
            () -> {
              try (var client = new RawClient(tls, server.port())) {
                var answer = client.send(GOOD).answer();
                if (answer.isEmpty()) {
                  throw new IOException("closed");
                }
              }
            })
        .isInstanceOf(IOException.class);
  }

  private SSLContext presenting(Authority issuer, String name) {
    return ClientContext.of(server.bundle(), issuer.issueClient(name, List.of(), LIFE));
  }
}
