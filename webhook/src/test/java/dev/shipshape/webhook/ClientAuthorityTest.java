package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.service.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may call, where the API server shows a certificate. */
@Timeout(60)
class ClientAuthorityTest {
  private static final Duration LIFE = Duration.ofDays(1);
  private static final String GOOD = RawClient.request(creation(nodeConfig("worker-1", "{}")));

  private final Authority authority = Authority.create("callers", LIFE, InstantSource.system());
  private final Authority other = Authority.create("others", LIFE, InstantSource.system());

  private Path file;
  private ClientAuthority clients;
  private TestingDoor door;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    file = folder.resolve("ca.crt");
    Files.writeString(file, authority.certificate());
    clients =
        ClientAuthority.load(new WebhookSettings.Clients(file, Set.of("kube-apiserver", "second")));
    door =
        new TestingDoor(
            TestingDoor.validating(),
            TestingDoor.stamping(),
            TestingDoor.USUAL,
            clients,
            BodyRoom.ofHeap(),
            1);
  }

  @AfterEach
  void stop() {
    door.close();
  }

  @Test
  void aListedNameOfTheAuthorityMayCall() throws Exception {
    try (var client = new RawClient(presenting(authority, "kube-apiserver"), door.port())) {
      assertThat(client.send(GOOD).answer()).contains("\"allowed\":true");
      assertThat(client.send(GOOD).answer()).contains("\"allowed\":true");
    }
  }

  @Test
  void whoeverShowsNoCertificateOrAnotherAuthoritysIsNotHeard() {
    assertTurnedAwayInTheHandshake(door.trust());
    assertTurnedAwayInTheHandshake(presenting(other, "kube-apiserver"));
  }

  @Test
  void anotherNameIsToldWhy() throws Exception {
    try (var client = new RawClient(presenting(authority, "somebody"), door.port())) {
      var answer = client.send(GOOD).answer();

      assertThat(answer)
          .startsWith("HTTP/1.1 403 ")
          .contains("somebody", "clientAuthority.names")
          .doesNotContain("allowed");
    }
    assertThat(door.refusals(Refusal.UNKNOWN_CALLER)).isEqualTo(1);
  }

  @Test
  void aNewAuthorityCountsForOpenResumedAndNewConnections() throws Exception {
    var old = presenting(authority, "kube-apiserver");
    try (var open = new RawClient(old, door.port())) {
      assertThat(open.send(GOOD).answer()).contains("\"allowed\":true");

      Files.writeString(file, other.certificate());
      clients.reload();

      assertThat(open.send(GOOD).answer()).startsWith("HTTP/1.1 403 ");
      try (var resumed = new RawClient(old, door.port())) {
        assertThat(resumed.session().getCreationTime())
            .as("the session of the first connection")
            .isEqualTo(open.session().getCreationTime());
        assertThat(resumed.send(GOOD).answer()).startsWith("HTTP/1.1 403 ");
      }
    }
    assertTurnedAwayInTheHandshake(presenting(authority, "second"));
    try (var client = new RawClient(presenting(other, "second"), door.port())) {
      assertThat(client.send(GOOD).answer()).contains("\"allowed\":true");
    }
  }

  @Test
  void anUnreadableNewAuthorityLeavesTheOldOne() throws Exception {
    for (var content : List.of("", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n")) {
      Files.writeString(file, content);
      clients.reload();
      try (var client = new RawClient(presenting(authority, "second"), door.port())) {
        assertThat(client.send(GOOD).answer()).contains("\"allowed\":true");
      }
    }
  }

  @Test
  void theServerFollowsTheFileByItself() throws Exception {
    Files.writeString(file, other.certificate());

    eventually(
        () -> {
          try (var client = new RawClient(presenting(other, "second"), door.port())) {
            assertThat(client.send(GOOD).answer()).contains("\"allowed\":true");
          } catch (IOException e) {
            throw new AssertionError("not taken over yet", e);
          }
        });
  }

  @Test
  void aMissingAuthorityIsOneClearLineAtTheStart(@TempDir Path folder) {
    var nowhere = new WebhookSettings.Clients(folder.resolve("no.crt"), Set.of());

    assertThatThrownBy(() -> ClientAuthority.load(nowhere))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("clientAuthority.file")
        .hasMessageContaining("no.crt");
  }

  /** In TLS 1.3 the client learns of it when it reads. */
  private void assertTurnedAwayInTheHandshake(SSLContext tls) {
    assertThatThrownBy(
            () -> {
              try (var client = new RawClient(tls, door.port())) {
                var answer = client.send(GOOD).answer();
                if (answer.isEmpty()) {
                  throw new IOException("closed");
                }
              }
            })
        .isInstanceOf(IOException.class);
  }

  private SSLContext presenting(Authority issuer, String name) {
    return ClientContext.presenting(issuer.issueClient(name, List.of(), LIFE), door.bundle());
  }
}
