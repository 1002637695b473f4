package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class EventWriterTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.123Z");

  private final List<EventWriter.Result> results = new CopyOnWriteArrayList<>();
  private TestCluster cluster;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("events"));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void anEventTellsWhatWasDoneToWhat() {
    cluster.operatorWithoutPods();
    var uid = cluster.get(cluster.deployment()).at("/metadata/uid").asText();
    try (var events = events(cluster.client())) {
      publish(events, "5 watch failures");
      awaitResults(1);
    }
    assertThat(results).containsExactly(EventWriter.Result.PUBLISHED);
    var event = published().path("items").path(0);
    assertThat(event.path("type").asText()).isEqualTo("Warning");
    assertThat(event.path("reason").asText()).isEqualTo("StuckOperatorRestarted");
    assertThat(event.path("action").asText()).isEqualTo("Restart");
    assertThat(event.path("note").asText()).isEqualTo("5 watch failures");
    assertThat(event.path("eventTime").asText()).isEqualTo("2026-11-21T12:00:00.123000Z");
    assertThat(event.path("reportingController").asText()).isEqualTo("shipshape.dev/janitor");
    assertThat(event.path("reportingInstance").asText()).isEqualTo("janitor-0");
    assertThat(event.at("/regarding/kind").asText()).isEqualTo("Deployment");
    assertThat(event.at("/regarding/name").asText()).isEqualTo("cray-cfs-operator");
    assertThat(event.at("/regarding/uid").asText()).isEqualTo(uid);
  }

  @Test
  void aNoteOfAnyLengthAndAlphabetFits() {
    try (var events = events(cluster.client())) {
      publish(events, "ü\n".repeat(5_000));
      awaitResults(1);
    }
    assertThat(results).containsExactly(EventWriter.Result.PUBLISHED);
  }

  @Test
  void noMoreThanTwentyWithinAnHour() {
    try (var events = events(cluster.client())) {
      for (var i = 0; i < 25; i++) {
        publish(events, "note " + i);
      }
      assertThat(results).filteredOn(EventWriter.Result.SUPPRESSED::equals).hasSize(5);
      awaitResults(25);
    }
    assertThat(published().path("items")).hasSize(20);
  }

  @Test
  void oneThatIsNotAllowedFailsAlone() {
    try (var client = cluster.clientOf("powerless");
        var events = events(client)) {
      publish(events, "nobody will read this");
      TestCluster.eventually("it failed", () -> results.contains(EventWriter.Result.FAILED));
    }
  }

  /** Begun anew where the machine takes longer than the moment that there is. */
  @Test
  void whatIsOnItsWayAtTheEndIsStillWritten(ControlPlane controlPlane) throws Exception {
    var closing = Thread.currentThread();
    try (var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      faulty.always(
          request -> request.startsWith("POST "),
          faulty.after(
              () ->
                  TestCluster.eventually(
                      "it waits", () -> closing.getState() == Thread.State.TIMED_WAITING)));
      TestCluster.eventually(
          "it is written",
          () -> {
            results.clear();
            try (var events = events(client)) {
              publish(events, "last words");
            }
            return results.contains(EventWriter.Result.PUBLISHED);
          });
    }
  }

  @Test
  void afterTheEndNothingIsWrittenAndNothingThrown() {
    var events = events(cluster.client());
    events.close();
    publish(events, "too late");
    assertThat(results).containsExactly(EventWriter.Result.FAILED);
  }

  /** Before the end, which gives what is on its way but a moment. */
  private void awaitResults(int number) {
    TestCluster.eventually("there are results", () -> results.size() == number);
  }

  private EventWriter events(KubernetesClient client) {
    return new EventWriter(
        client,
        new Workload(Workload.Kind.DEPLOYMENT, cluster.namespace(), TestJanitors.OPERATOR),
        "janitor-0",
        () -> NOW,
        results::add);
  }

  private static void publish(EventWriter events, String note) {
    events.publish(EventWriter.Type.WARNING, "StuckOperatorRestarted", "Restart", note);
  }

  private JsonNode published() {
    return cluster.get("/apis/events.k8s.io/v1/namespaces/" + cluster.namespace() + "/events");
  }
}
