package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.mutation.NonStatusTree;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the API server makes of the mutating entry's answers, and what it costs. */
class StampsOnClusterTest extends OnGuardedCluster {
  @Promise(
      value = "Every admitted object has the hash of its stored content.",
      breaks = "Hashing before the API server's defaults, or after shipshape's annotations.")
  @Test
  void aConfigIsAdmittedAndStampedWithTheHashOfWhatIsStored(UniqueNames names) throws Exception {
    var name = names.name("worker");

    var stored = guarded.create(config(name, vni)).expect(201);

    var identity = GuardReader.preset("nodeconfig").getFirst().identity();
    assertThat(stored.annotation(HashAnnotator.CONFIG_HASH))
        .isEqualTo(identity.hash(stored.body()).toString())
        .isEqualTo(identity.hash(config(name, vni)).toString());
    assertThat(stored.annotation(HashAnnotator.NON_STATUS_HASH))
        .isEqualTo(NonStatusTree.of(stored.object()).toString());
  }

  @Promise(
      value = "A hash that a user writes is overwritten.",
      breaks = "Trusting an existing annotation.")
  @Test
  void forgedHashesAreOverwritten(UniqueNames names) throws Exception {
    var name = names.name("worker");
    var stored = guarded.create(config(name, vni)).expect(201);

    var forged =
        guarded
            .api()
            .merge(
                NODE_CONFIGS + "/" + name,
                json(
                    """
                    {metadata: {annotations: {'shipshape.dev/config-hash': 'v1:forged',
                     'shipshape.dev/non-status-hash': null}}}
                    """))
            .expect(200);

    assertThat(forged.annotation(HashAnnotator.CONFIG_HASH))
        .isEqualTo(stored.annotation(HashAnnotator.CONFIG_HASH));
    assertThat(forged.annotation(HashAnnotator.NON_STATUS_HASH))
        .isEqualTo(stored.annotation(HashAnnotator.NON_STATUS_HASH));
  }

  @Test
  void aWriteThatChangesNothingIsNoWrite(UniqueNames names) throws Exception {
    var name = names.name("worker");
    var path = NODE_CONFIGS + "/" + name;
    var first = guarded.api().apply(path, config(name, vni)).expect(201);
    var patched =
        guarded.webhook().metric("shipshape_webhook_requests_total", "decision=\"patched\"");

    var second = guarded.api().apply(path, config(name, vni)).expect(200);
    var third = guarded.api().put(path, second.body()).expect(200);

    assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
    assertThat(third.resourceVersion()).isEqualTo(first.resourceVersion());
    assertThat(guarded.webhook().metric("shipshape_webhook_requests_total", "decision=\"patched\""))
        .isEqualTo(patched);
  }

  @Promise(
      value = "To decide, the webhook writes nothing but Events and its own records.",
      breaks = "Writing a guarded object.")
  @Test
  void theWebhookItselfOnlyListsWatchesAndTellsEvents(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var name = names.name("worker");
    guarded.create(config(name, vni)).expect(201);
    for (var round = 0; round < 3; round++) {
      guarded.api().apply(NODE_CONFIGS + "/" + name, config(name, vni)).expect(200);
    }

    var requests =
        Files.readAllLines(cluster.auditLog()).stream()
            .filter(line -> line.contains("\"username\":\"" + guarded.webhook().user() + "\""))
            .map(Json::json)
            .filter(event -> !isEvent(event))
            // How many pages a list has is up to other tests; rights may be heard of late.
            .filter(event -> !event.path("requestURI").asText().contains("continue="))
            .filter(event -> event.at("/responseStatus/code").asInt() == 200)
            // What other tests have left is learned, by the API server's time.
            .filter(event -> !event.path("requestURI").asText().equals("/version"))
            .map(event -> event.path("verb").asText())
            .toList();

    assertThat(requests).isNotEmpty().allMatch(verb -> List.of("list", "watch").contains(verb));
    assertThat(requests)
        .as("one list and one watch of each, each logged twice")
        .hasSizeLessThan(24);
  }

  private static boolean isEvent(JsonNode event) {
    return event.at("/objectRef/resource").asText().equals("events")
        && event.path("verb").asText().equals("create");
  }
}
