package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import dev.shipshape.webhook.known.Verdict;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GuardEventsTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";

  private final TestingGuards guards =
      new TestingGuards().holding(record("worker-1", "-invalid", SPEC));
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** An API server that answers with this code, once it may. */
  private final HttpServer api;

  private final CountDownLatch answers = new CountDownLatch(1);
  private final AtomicInteger written = new AtomicInteger();
  private volatile int code = 201;
  private volatile String last = "";
  private final KubernetesClient client;

  GuardEventsTest() throws IOException {
    api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    api.createContext("/", this::answer);
    api.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + api.getAddress().getPort())
                    .build())
            .build();
  }

  @AfterEach
  void close() {
    client.close();
    api.stop(0);
  }

  @Test
  @Timeout(30)
  void anApiServerThatHangsHoldsUpNoAnswer() throws Exception {
    try (var events = start()) {
      var entry = entry(events);
      for (var count = 0; count < 1_000; count++) {
        assertThat(answer(entry, creation(nodeConfig("worker-" + count, SPEC)))).contains("403");
      }
      answers.countDown();
      eventually(() -> assertThat(written).hasValue(25));
    }
    assertThat(written).as("within the limit").hasValue(25);
  }

  @Test
  void anEventThatCannotBeWrittenChangesNoAnswer() throws Exception {
    code = 403;
    answers.countDown();
    try (var log = new CapturedLog()) {
      try (var events = start()) {
        var entry = entry(events);
        for (var count = 1; count <= 3; count++) {
          var attempt = count;
          assertThat(answer(entry, creation(nodeConfig("worker-" + count, SPEC)))).contains("403");
          eventually(() -> assertThat(written).hasValue(attempt));
        }
      }
      // Clients that other tests close write such a line too.
      assertThat(log.text().lines().filter(line -> line.contains("could not write an Event")))
          .filteredOn(line -> line.contains("answered 403"))
          .hasSize(1);
    }
    var faulty =
        new AdmissionEndpoint(
            Endpoint.VALIDATE,
            guards.decider(Scope.CLUSTER)::deny,
            new AdmissionMetrics(registry),
            List.of(
                (request, response) -> {
                  throw new IllegalStateException("a mistake of ours");
                }));
    assertThat(answer(faulty, creation(nodeConfig("worker-1", "{}")))).contains("\"allowed\":true");
  }

  @Test
  void thatAConfigurationFailedOnManyNodesIsReportedToTheEnd() throws Exception {
    answers.countDown();
    var failures = new TreeMap<String, Failure>();
    for (var count = 100; count < 300; count++) {
      failures.put("worker-" + count, new Failure(Instant.EPOCH, "too hot", "agent"));
    }
    var guard = guards.guards().values().iterator().next();
    var hash = ConfigHash.parse("v1:" + "a".repeat(64));
    var known =
        new KnownInvalidConfiguration(
            new ConfigurationKey(guard.name(), "", hash),
            new Source(guard.resource().kind(), "worker-100", "1"),
            Verdict.INVALID,
            Instant.EPOCH,
            "too hot",
            failures,
            false,
            null,
            null);
    try (var events = start()) {
      events.learned(known);
      eventually(
          () ->
              assertThat(last)
                  .contains("worker-100, ", "197 more", "Kept as KnownInvalidConfiguration"));
    }
  }

  /** Of a forged review; the names that were reported last are held. */
  @Test
  void aNameThatNoObjectCanHaveGetsNoEvent() throws Exception {
    answers.countDown();
    try (var events = start()) {
      var entry = entry(events);
      for (var name : List.of("w".repeat(254), "worker-2")) {
        assertThat(answer(entry, creation(nodeConfig(name, SPEC)))).contains("403");
      }
      eventually(() -> assertThat(last).contains("worker-2"));
    }
    assertThat(written).hasValue(1);
  }

  private GuardEvents start() {
    return new GuardEvents(guards.guards(), client, Duration.ofMinutes(10));
  }

  private AdmissionEndpoint entry(GuardEvents events) {
    return new AdmissionEndpoint(
        Endpoint.VALIDATE,
        guards.decider(Scope.CLUSTER)::deny,
        new AdmissionMetrics(registry),
        List.of(events::decided));
  }

  private static String answer(AdmissionEndpoint entry, String review) {
    return entry.respond(bytes(review)).body();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var event = exchange.getRequestBody().readAllBytes();
      answers.await();
      written.incrementAndGet();
      last = new String(event, UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(code, event.length);
      exchange.getResponseBody().write(event);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
