package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Who is let through, and how they hear of it, as a client of a real API server sees it. */
@ExtendWith(ControlPlaneExtension.class)
class AuditModeOnClusterTest {
  private final int vni = GuardedCluster.newVni();

  @Test
  void whatWouldBeRefusedIsCountedButForDryRuns(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    try (var guarded = GuardedCluster.installUnarmed(cluster, names, folder)) {
      var node = names.name("worker");
      guarded.create(config(node, vni)).expect(201);
      var status = NODE_CONFIGS + "/" + node + "/status";
      guarded.api().merge(status, json("{status: {configStatus: 'invalid'}}")).expect(200);
      eventually(
          () ->
              assertThat(
                      guarded.api().post(NODE_CONFIGS + "?dryRun=All", config("x", vni)).warnings())
                  .isNotEmpty());
      eventually(() -> assertThat(KnownInvalidConfigurations.of(guarded.api(), node)).isNotEmpty());

      guarded.create(config(node + "-b", vni)).expect(201);

      eventually(
          () -> {
            var known = KnownInvalidConfigurations.of(guarded.api(), node).getFirst();
            assertThat(known.at("/status/warned").asInt()).isOne();
            assertThat(known.at("/status/lastWriter").asText()).isNotEmpty();
          });
    }
  }

  @Promise(
      value = "Until it is armed, the guard only warns.",
      breaks = "Denying writes on `/audit`.")
  @Test
  void whileNotArmedAKnownInvalidConfigIsStoredWithAWarningAndAnEvent(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    try (var guarded = GuardedCluster.installUnarmed(cluster, names, folder)) {
      var node = names.name("worker");
      guarded.writeInvalidRecord(node, vni);

      eventually(
          () -> {
            var reply =
                guarded.api().post(NODE_CONFIGS + "?dryRun=All", config(node, vni)).expect(201);
            assertThat(reply.warnings())
                .singleElement()
                .asString()
                .contains("known invalid: equals " + node + "-invalid; would be refused");
          });
      guarded.create(config(node, vni)).expect(201);

      eventually(
          () ->
              assertThat(guarded.api().events("default"))
                  .anySatisfy(
                      event -> {
                        assertThat(event.at("/regarding/name").asText()).isEqualTo(node);
                        assertThat(event.path("action").asText()).isEqualTo("Warn");
                      }));
      assertThat(
              guarded.webhook().metric("shipshape_webhook_requests_total", "decision=\"warned\""))
          .isGreaterThanOrEqualTo(2);
    }
  }
}
