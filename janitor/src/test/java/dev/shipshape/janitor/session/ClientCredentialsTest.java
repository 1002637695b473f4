package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientCredentialsTest {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));

  @TempDir private Path secret = Path.of("");

  @Test
  void aTokenIsKeptUntilShortlyBeforeItExpires() throws Exception {
    try (var tokens = FakeTokens.start(secret)) {
      var credentials = new ClientCredentials(RestConnection.open(null), tokens.source(), now::get);
      assertThat(credentials.get()).contains("token-1");
      pass(269);
      assertThat(credentials.get()).contains("token-1");
      pass(1);
      assertThat(credentials.get()).as("30 s before its end").contains("token-2");
    }
  }

  @Test
  void oneThatLivesShortlyIsUsedForHalfOfItsLife() throws Exception {
    try (var tokens = FakeTokens.start(secret)) {
      tokens.expiresIn(20);
      var credentials = new ClientCredentials(RestConnection.open(null), tokens.source(), now::get);
      assertThat(credentials.get()).contains("token-1");
      pass(9);
      assertThat(credentials.get()).contains("token-1");
      pass(1);
      assertThat(credentials.get()).contains("token-2");
    }
  }

  @Test
  void manyRefusalsOfOneTokenCostOneNewToken() throws Exception {
    try (var tokens = FakeTokens.start(secret)) {
      var credentials = new ClientCredentials(RestConnection.open(null), tokens.source(), now::get);
      var refused = credentials.get().orElseThrow();
      for (var i = 0; i < 3; i++) {
        assertThat(credentials.renew(refused)).isTrue();
        assertThat(credentials.get()).contains("token-2");
      }
    }
  }

  @Test
  void aSecretThatIsExchangedIsReadAgain() throws Exception {
    try (var tokens = FakeTokens.start(secret)) {
      var credentials = new ClientCredentials(RestConnection.open(null), tokens.source(), now::get);
      var right = Files.readString(tokens.source().secretFile());
      Files.writeString(tokens.source().secretFile(), "old");
      assertThatIOException()
          .isThrownBy(credentials::get)
          .withMessageContaining(tokens.source().endpoint().toString())
          .withMessageContaining("401 invalid_client");
      Files.writeString(tokens.source().secretFile(), right);
      assertThat(credentials.get()).contains("token-1");
    }
  }

  private void pass(int seconds) {
    now.updateAndGet(time -> time.plus(Duration.ofSeconds(seconds)));
  }
}
