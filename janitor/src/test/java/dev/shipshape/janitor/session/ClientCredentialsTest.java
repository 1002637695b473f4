package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
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

  /** Else workers would wait one after another, and being told to stop would have no effect. */
  @Test
  void manyWhoWaitForATokenThatDoesNotComeWaitOnce() throws Exception {
    try (var tokens = FakeTokens.start(secret)) {
      tokens.hang();
      var http = RestConnection.open(null);
      var patience = Duration.ofSeconds(3);
      var credentials = new ClientCredentials(http, tokens.source(), now::get, patience);
      var begin = System.nanoTime();
      var waiting =
          IntStream.range(0, 8)
              .mapToObj(
                  _ ->
                      CompletableFuture.runAsync(
                          () -> fails(credentials), Thread::startVirtualThread))
              .toList();
      waiting.forEach(CompletableFuture::join);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(patience.multipliedBy(4));
      assertThat(tokens.asked()).as("hardly more than once").isLessThan(4);
    }
  }

  @Test
  void aTokenIsAskedForAgainAfterAFailure() throws Exception {
    try (var tokens = FakeTokens.start(secret)) {
      var credentials = new ClientCredentials(RestConnection.open(null), tokens.source(), now::get);
      var right = Files.readString(tokens.source().secretFile());
      Files.writeString(tokens.source().secretFile(), "old");
      for (var i = 1; i <= 2; i++) {
        fails(credentials);
        assertThat(tokens.asked()).isEqualTo(i);
      }
      Files.writeString(tokens.source().secretFile(), right);
      assertThat(credentials.get()).contains("token-1");
    }
  }

  private static void fails(ClientCredentials credentials) {
    assertThatIOException().isThrownBy(credentials::get).withMessageContaining("gave no token");
  }

  private void pass(int seconds) {
    now.updateAndGet(time -> time.plus(Duration.ofSeconds(seconds)));
  }
}
