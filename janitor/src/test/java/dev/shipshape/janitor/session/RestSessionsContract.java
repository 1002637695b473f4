package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.pace.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What both versions of the service must keep beside {@link SessionsContract}. */
abstract class RestSessionsContract extends SessionsContract {
  private final AtomicInteger jobs = new AtomicInteger();
  @TempDir private Path secret = Path.of("");
  private FakeTokens tokens;
  private FakeCfs cfs;
  private RestSessions sessions;

  abstract RestVersion version();

  @BeforeEach
  void open() throws IOException {
    tokens = FakeTokens.start(secret);
    cfs = FakeCfs.start("v2", "v3");
    cfs.demand(tokens);
    var http = RestConnection.open(null);
    var bearer = new ClientCredentials(http, tokens.source(), InstantSource.system());
    sessions =
        new RestSessions(
            new RestService(http, cfs.address(), bearer),
            version(),
            "services",
            new StopSignal(() -> true));
  }

  @AfterEach
  void close() {
    cfs.close();
    tokens.close();
  }

  FakeTokens tokens() {
    return tokens;
  }

  FakeCfs cfs() {
    return cfs;
  }

  @Override
  Sessions sessions() {
    return sessions;
  }

  @Override
  void complete(String name) {
    cfs.put(
        name,
        "complete",
        "2025-12-31T23:00:00",
        "2026-01-01T00:00:00",
        "cfs-" + jobs.incrementAndGet());
  }

  @Override
  void run(String name) {
    cfs.put(name, "running", "2025-12-31T23:00:00", null, "cfs-" + jobs.get());
  }

  @Override
  void keep(String name, String value) {
    cfs.tag(name, "shipshape.dev/keep", value);
  }

  @Override
  void giveImage(String name) {
    cfs.giveImage(name);
  }

  @Test
  void aDeletionThatIsCarriedOutAndAnsweredWithAnErrorIsSeenOnReading() {
    complete("one");
    var session = list().getFirst();
    cfs.deletionsAnsweredWithAnError.set(1);
    assertThat(sessions.delete(session))
        .isEqualTo(new DeleteAnswer.Refused(500, FakeCfs.FAILURE, null));
    assertThat(sessions.reread(session)).isEmpty();
  }

  @Test
  void aTokenIsAskedForOnceAndAgainWhenItIsRefused() {
    complete("one");
    list();
    list();
    assertThat(tokens.given()).isEqualTo(1);
    tokens.revoke();
    assertThat(list()).hasSize(1);
    assertThat(tokens.given()).isEqualTo(2);
  }

  /** Renewing it may take long, and meanwhile a user may ask to keep the session. */
  @Test
  void aDeletionWhoseTokenExpiresAfterTheReadingIsNotSentAgainUnread() {
    complete("one");
    var session = list().getFirst();
    var isFirst = new AtomicBoolean(true);
    cfs.before(
        request -> request.startsWith("DELETE "),
        () -> {
          if (isFirst.getAndSet(false)) {
            tokens.revoke();
            cfs.tag("one", "shipshape.dev/keep", "true");
          }
        });
    var answer = sessions.delete(session);
    assertThat(cfs.names()).containsExactly("one");
    assertThat(answer).isInstanceOf(DeleteAnswer.NotSent.class);
    assertThat(sessions.delete(session)).as("read again").isEqualTo(new DeleteAnswer.Conflict());
    assertThat(tokens.given()).as("renewed").isEqualTo(2);
  }

  @Test
  void aTokenThatExpiresBeforeTheReadingIsRenewedForIt() {
    complete("one");
    var session = list().getFirst();
    tokens.revoke();
    assertThat(sessions.delete(session)).isEqualTo(new DeleteAnswer.Gone());
  }

  @Test
  void withoutARightNothingIsReadAndNoSecretIsSaid() throws IOException {
    complete("one");
    Files.writeString(tokens.source().secretFile(), "not-the-secret");
    Assertions.assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(this::list)
        .withMessageContaining("gave no token: 401 invalid_client")
        .withMessageNotContaining("not-the-secret");
  }

  @Test
  void aListThatFailsWhileTheyAreWaitedForIsTriedAgain() {
    complete("one");
    complete("two");
    var listed = list();
    assertThat(sessions.delete(listed.getFirst())).isEqualTo(new DeleteAnswer.Gone());
    cfs.once(request -> request.startsWith("GET "), 503, "");
    assertThat(sessions.awaitGone(listed, Duration.ofSeconds(3)))
        .containsOnly(Map.entry(listed.getLast(), "the service still lists it"));
    cfs.always(request -> request.startsWith("GET "), 503, "");
    assertThat(sessions.awaitGone(listed, Duration.ofMillis(100)))
        .hasSize(2)
        .allSatisfy((_, why) -> assertThat(why).contains("could not be looked for", "503"));
  }

  /** A gateway answers so while it has no way to the service. */
  @Test
  void anotherNotFoundThanTheServicesOwnIsNoSessionThatIsGone() {
    complete("one");
    var session = list().getFirst();
    var answers = List.of("", "<html>", "{\"title\": \"Not Found\", \"status\": 404}");
    for (var body : answers) {
      cfs.once(request -> request.startsWith("GET "), 404, body);
      Assertions.assertThatExceptionOfType(ApiFailure.class)
          .as(body)
          .isThrownBy(() -> sessions.reread(session));
      cfs.once(request -> request.startsWith("DELETE "), 404, body);
      assertThat(sessions.delete(session))
          .as(body)
          .isInstanceOfSatisfying(
              DeleteAnswer.Refused.class, it -> assertThat(it.code()).isEqualTo(404));
    }
    assertThat(cfs.names()).containsExactly("one");
  }

  @Test
  void aSessionThatGetsItsJobIsTheSame() {
    cfs.put("one", "pending", "2025-12-31T23:00:00", null, null);
    var waiting = list().getFirst();
    cfs.put("one", "running", "2025-12-31T23:00:00", null, "cfs-1");
    assertThat(list().getFirst().isSameAs(waiting)).isTrue();
    cfs.put("one", "running", "2026-01-31T23:00:00", null, "cfs-1");
    assertThat(list().getFirst().isSameAs(waiting)).isFalse();
  }

  /** Or else all sessions would count as gone. */
  @Test
  void anAnswerThatIsNoListIsNoEmptyOne() {
    complete("one");
    for (var body : List.of("", "<html>", "{}", "null", "{\"sessions\": null}", "[{}]")) {
      cfs.once(request -> request.startsWith("GET "), 200, body);
      Assertions.assertThatExceptionOfType(ApiFailure.class)
          .as(body)
          .isThrownBy(this::list)
          .withMessageContaining("/sessions with success, but not with");
    }
    assertThat(list()).hasSize(1);
  }

  @Test
  void anAnswerThatIsNoSessionIsNoneThatChanged() {
    complete("one");
    var session = list().getFirst();
    for (var body : List.of("", "{}", "[]")) {
      cfs.once(request -> request.startsWith("GET "), 200, body);
      assertThat(sessions.delete(session)).as(body).isInstanceOf(DeleteAnswer.NotSent.class);
    }
    assertThat(cfs.names()).containsExactly("one");
  }

  @Test
  void aServiceThatIsNotThereIsSaidByItsAddress() {
    var address = cfs.address().toString();
    cfs.close();
    Assertions.assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(this::list)
        .withMessageContaining(address);
  }
}
