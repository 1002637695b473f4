package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.respelled;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.EventRecorder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refusals, told by Events that a real API server takes. */
class EventsOnClusterTest extends OnGuardedCluster {

  @Test
  void aRefusedUpdateIsToldOnceOnTheConfigThatStays(UniqueNames names) throws Exception {
    var node = names.name("worker");
    var stored = guarded.create(config(node, vni + 2)).expect(201);
    guarded.recordInvalid(node, vni);

    for (var attempt = 0; attempt < 5; attempt++) {
      guarded.update(node, respelled(node, vni)).expect(403);
    }

    var event = eventually(() -> theOnlyEventAbout(node));
    assertThat(event.path("reason").asText()).isEqualTo("KnownInvalidConfiguration");
    assertThat(event.path("action").asText()).isEqualTo("Refuse");
    assertThat(event.path("type").asText()).isEqualTo("Warning");
    assertThat(event.path("reportingController").asText()).isEqualTo("shipshape.dev/webhook");
    assertThat(event.path("note").asText()).contains("it equals " + node + "-invalid");
    var regarding = event.path("regarding");
    assertThat(regarding.path("kind").asText()).isEqualTo("NodeConfig");
    assertThat(regarding.path("apiVersion").asText())
        .isEqualTo("network.schiff.telekom.de/v1alpha1");
    assertThat(regarding.path("uid").asText()).isEqualTo(stored.uid());
    // Events are written in turn.
    var last = names.name("last");
    guarded.create(config(last, vni)).expect(403);
    eventually(() -> theOnlyEventAbout(last));
    assertThat(theOnlyEventAbout(node)).isEqualTo(event);
  }

  @Test
  void aRefusedCreateIsToldByNameAndADryRunIsNot(UniqueNames names) throws Exception {
    var node = names.name("worker");
    guarded.recordInvalid(node, vni);
    var dry = names.name("dry");

    guarded.api().post(NODE_CONFIGS + "?dryRun=All", config(dry, vni)).expect(403);
    guarded.create(config(node, vni)).expect(403);

    var event = eventually(() -> theOnlyEventAbout(node));
    assertThat(event.at("/regarding/uid").asText()).isEmpty();
    // Those of both would have been written in turn.
    assertThat(eventsAbout(dry)).isEmpty();
  }

  @Test
  void aLongNoteFillsWhatTheApiServerTakesAndCutsNoCharacter(
      ControlPlane cluster, UniqueNames names) throws Exception {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      var events = new EventRecorder(client, "test", Clock.systemUTC(), 4, Duration.ofMinutes(1));
      for (var shift = 0; shift < 4; shift++) {
        var name = names.name("worker");
        var note = "x".repeat(shift) + "ü€😀".repeat(200);

        var regarding =
            new ObjectReferenceBuilder()
                .withApiVersion("network.schiff.telekom.de/v1alpha1")
                .withKind("NodeConfig")
                .withName(name)
                .build();
        events.write(() -> List.of(regarding), "Warning", "Test", "Refuse", note);

        var told = eventually(() -> theOnlyEventAbout(name)).path("note").asText();
        assertThat(told).endsWith("...").startsWith(note.substring(0, 300));
        assertThat(note).startsWith(told.substring(0, told.length() - 3));
        assertThat(told.getBytes(StandardCharsets.UTF_8).length).isBetween(1024 - 3, 1024);
      }
    }
  }

  private static JsonNode theOnlyEventAbout(String name) throws Exception {
    var events = eventsAbout(name);
    assertThat(events).hasSize(1);
    return events.getFirst();
  }

  private static List<JsonNode> eventsAbout(String name) throws Exception {
    return guarded
        .api()
        .events("default")
        .filter(event -> event.at("/regarding/name").asText().equals(name))
        .toList();
  }
}
