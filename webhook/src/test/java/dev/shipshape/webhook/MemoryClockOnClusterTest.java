package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A memory on a machine whose clock is not the API server's. */
@ExtendWith(ControlPlaneExtension.class)
class MemoryClockOnClusterTest {
  private static final Duration KEEP = Duration.ofSeconds(1);

  private final int vni = GuardedCluster.newVni();
  private final ControlPlane cluster;
  private final Path folder;
  private final Api api;
  private final String namespace;
  private final String user;
  private final String worker;

  MemoryClockOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.cluster = cluster;
    this.folder = folder;
    this.api = Api.asAdministrator(cluster);
    this.namespace = names.name("memory");
    this.user = names.name("webhook");
    this.worker = names.name("worker");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
    Replica.grant(api, namespace, user);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  /** Once it has failed, this machine's clock runs ahead of what the API server is said to say. */
  @Test
  void aClockAheadByMoreThanIsKeptForgetsNothing() throws Exception {
    api.post(NODE_CONFIGS, config(worker, vni)).expect(201);
    var failed = fail();
    eventually(() -> assertThat(Instant.now()).isAfter(failed.plus(KEEP).plus(KEEP)));

    try (var replica = follower(() -> failed)) {
      eventually(() -> assertThat(entries(replica)).isEqualTo(1));
      remove();

      assertThat(replica.refusal(config("other", vni))).contains(worker + " (remembered)");
    }
  }

  @Test
  void howOldSomethingIsIsToldByTheApiServersClockAlone() throws Exception {
    api.post(NODE_CONFIGS, config(worker, vni)).expect(201);
    InstantSource ahead = () -> Instant.now().plus(Duration.ofHours(1));

    try (var said = new Said();
        var replica = follower(ahead)) {
      fail();

      eventually(
          () ->
              assertThat(said.lines("NodeConfig " + worker, "is not kept: it is older"))
                  .as("by the API server's clock it is")
                  .isNotEmpty());
      assertThat(entries(replica)).isZero();
      remove();
    }
  }

  @Test
  void nothingIsTooOldByAnApiServersClockThatIsDaysAhead() throws Exception {
    api.post(NODE_CONFIGS, config(worker, vni)).expect(201);
    InstantSource ahead = () -> Instant.now().plus(Duration.ofDays(31));

    try (var replica = follower(ahead)) {
      fail();

      eventually(() -> assertThat(entries(replica)).isEqualTo(1));
      remove();
      assertThat(replica.refusal(config("other", vni))).contains(worker + " (remembered)");
    }
  }

  private Replica follower(InstantSource apiServerTime) throws Exception {
    return Replica.startFollower(
        cluster,
        folder,
        user,
        """
        warmUp: 0s
        guards: [{preset: nodeconfig}]
        memory: {enabled: true, keep: %ds, namespace: %s}
        """
            .formatted(KEEP.toSeconds(), namespace),
        apiServerTime);
  }

  /** Gives when, by the API server. */
  private Instant fail() throws Exception {
    var status = json("{status: {configStatus: 'invalid'}}");
    var written = api.merge(NODE_CONFIGS + "/" + worker + "/status", status).expect(200).body();
    for (var entry : written.at("/metadata/managedFields")) {
      if (entry.path("fieldsV1").has("f:status")) {
        return Instant.parse(entry.path("time").asText());
      }
    }
    throw new AssertionError("no time in " + written);
  }

  private void remove() throws Exception {
    api.delete(NODE_CONFIGS + "/" + worker).expect(200);
  }

  private static double entries(Replica replica) throws Exception {
    return replica.metric("shipshape_webhook_memory_entries");
  }
}
