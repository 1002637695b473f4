package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.session.DeleteResult.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What both versions of the service must keep beside {@link SessionStoreContract}. */
abstract class RestStoreContract extends SessionStoreContract {
  private final AtomicInteger jobs = new AtomicInteger();
  @TempDir private Path folder = Path.of("");
  private FakeCfs cfs;
  private KubernetesClient api;
  private RestStore sessions;

  abstract RestVersion version();

  @BeforeEach
  void open() throws IOException {
    var secret = Files.writeString(folder.resolve("token"), "first\n");
    cfs = FakeCfs.start("v2", "v3");
    cfs.demand("first");
    var endpoint = new RestEndpoint(cfs.address(), secret, null);
    // Any server that sends its time.
    api = TestCluster.clientAt(cfs.address());
    sessions = new RestStore(api, new RestService(endpoint), version(), "services");
  }

  @AfterEach
  void close() {
    api.close();
    cfs.close();
  }

  /** Whether it is gone, only a list or a read tells. */
  @Override
  Status deleted() {
    return Status.TERMINATING;
  }

  FakeCfs cfs() {
    return cfs;
  }

  @Override
  SessionStore sessions() {
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
  void succeed(String name, @Nullable String value) {
    cfs.succeed(name, value);
  }

  @Override
  void giveImage(String name) {
    cfs.giveImage(name);
  }

  /** It would be archived as the session, which is deleted after it. */
  @Test
  void whatIsNotTheSessionIsNoDocument() {
    complete("one");
    var session = list().getFirst();
    for (var body :
        List.of("", "<html>sign in</html>", "{\"name\": \"on", "{}", "{\"name\": \"two\"}")) {
      cfs.once(request -> request.endsWith("/sessions/one"), 200, body);
      Assertions.assertThatExceptionOfType(KubernetesClientException.class)
          .as(body)
          .isThrownBy(() -> sessions().document(session));
    }
  }

  @Test
  void aDeletionThatIsCarriedOutAndAnsweredWithAnErrorIsSeenOnReading() {
    complete("one");
    var session = list().getFirst();
    cfs.deletionsAnsweredWithAnError.set(1);
    Assertions.assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> sessions.delete(session))
        .withMessageContaining(FakeCfs.FAILURE);
    assertThat(sessions.get(session)).isEmpty();
  }

  @Test
  void aTokenIsReadForEachCall() throws IOException {
    complete("one");
    var session = list().getFirst();
    cfs.demand("second");
    Files.writeString(folder.resolve("token"), "second");
    assertThat(sessions.delete(session)).isEqualTo(new DeleteResult(deleted()));
  }

  @Test
  void withoutARightNothingIsReadAndNoSecretIsSaid() throws IOException {
    complete("one");
    Files.writeString(folder.resolve("token"), "not-the-secret");
    Assertions.assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(this::list)
        .withMessageContaining("answered 401")
        .withMessageContaining("sessions.rest.tokenFile")
        .withMessageNotContaining("not-the-secret");
  }

  /** A gateway answers so while it has no way to the service. */
  @Test
  void anotherNotFoundThanTheServicesOwnIsNoSessionThatIsGone() {
    complete("one");
    var session = list().getFirst();
    var answers = List.of("", "<html>", "{\"title\": \"Not Found\", \"status\": 404}");
    for (var body : answers) {
      cfs.once(request -> request.startsWith("GET "), 404, body);
      Assertions.assertThatExceptionOfType(KubernetesClientException.class)
          .as(body)
          .isThrownBy(() -> sessions.get(session));
      cfs.once(request -> request.startsWith("DELETE "), 404, body);
      Assertions.assertThatExceptionOfType(KubernetesClientException.class)
          .as(body)
          .isThrownBy(() -> sessions.delete(session))
          .matches(failure -> failure.getCode() == 404);
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
      Assertions.assertThatExceptionOfType(KubernetesClientException.class)
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
      Assertions.assertThatExceptionOfType(KubernetesClientException.class)
          .as(body)
          .isThrownBy(() -> sessions.delete(session));
    }
    assertThat(cfs.names()).containsExactly("one");
  }

  /** As uWSGI, where no mesh adds one. */
  @Test
  void withoutADateHeaderTheApiServersClockCounts() throws IOException {
    assertThat(timeOf("")).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    assertThat(cfs.requests).containsExactly("GET /version");
  }

  @Test
  void aDateHeaderThatIsNotValidIsNoneThatIsAbsent() {
    Assertions.assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> timeOf("Date: yesterday\r\n"))
        .withMessageContaining("the CFS service sent no valid Date header");
  }

  private Instant timeOf(String header) throws IOException {
    var empty = version() == RestVersion.V2 ? "[]" : "{\"sessions\": []}";
    try (var uwsgi = UwsgiServer.start(header, empty)) {
      var service = new RestService(new RestEndpoint(uwsgi.address(), null, null));
      return new RestStore(api, service, version(), "services").list().serverTime();
    }
  }

  @Test
  void aServiceThatIsNotThereIsSaidByItsAddress() {
    var address = cfs.address().toString();
    cfs.close();
    Assertions.assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(this::list)
        .withMessageContaining(address);
  }
}
