package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.config.GuardReader;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What becomes known invalid, and what no longer is, is one line in the log. */
@ExtendWith(ControlPlaneExtension.class)
class IndexLogOnClusterTest {
  private final ControlPlane cluster;
  private final Path folder;
  private final Api api;
  private final String user;
  private final String worker;
  private final int vni = GuardedCluster.newVni();

  IndexLogOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.cluster = cluster;
    this.folder = folder;
    this.api = Api.asAdministrator(cluster);
    this.user = names.name("webhook");
    this.worker = names.name("worker");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void whatIsThereAtTheStartIsOneLineAndWhatFollowsOneEach() throws Exception {
    var node = api.node(worker);
    api.post(NODE_CONFIGS, config(worker, vni)).expect(201);
    var first = record("-invalid", vni);
    var old = api.post(NODE_CONFIGS, ownedBy(first, worker, node)).expect(201).uid();
    try (var said = new Said();
        var replica = Replica.start(cluster, folder, user, "guards: [{preset: nodeconfig}]")) {
      eventually(
          () -> assertThat(said.lines("index: nodeconfig: ", "objects listed")).singleElement());
      assertThat(said.lines("index: nodeconfig " + worker)).isEmpty();

      api.delete(NODE_CONFIGS + "/" + worker + "-invalid").expect(200);
      told(said, worker + "-invalid", old, vni, "no longer known invalid ");

      rollOut(vni + 10);
      var added = api.post(NODE_CONFIGS, ownedBy(record("-invalid", vni + 10), worker, node));
      var uid = added.expect(201).uid();
      told(said, worker + "-invalid", uid, vni + 10, "known invalid ");
      rollOut(vni + 20);
      api.merge(NODE_CONFIGS + "/" + worker + "-invalid", specOf(vni + 20)).expect(200);
      told(said, worker + "-invalid", uid, vni + 20, "known invalid ");

      assertThat(replica.allows(config("y", vni + 20))).isFalse();
      assertThat(said.lines("denied CREATE", "equals " + worker + "-invalid", "uid u"))
          .as("the verdict")
          .hasSize(1);
    }
  }

  @Test
  void whatAStatusSaysIsTheReason() throws Exception {
    try (var said = new Said();
        var _ = Replica.start(cluster, folder, user, "guards: [{preset: nodeconfig}]")) {
      var uid = api.post(NODE_CONFIGS, config(worker, vni)).expect(201).uid();
      status("invalid");
      told(said, worker, uid, vni, "known invalid ");
      status("provisioned");
      told(said, worker, uid, vni, "no longer known invalid ");
    }
  }

  private void rollOut(int vni) throws Exception {
    api.merge(NODE_CONFIGS + "/" + worker, specOf(vni)).expect(200);
  }

  private static ObjectNode specOf(int vni) {
    var change = object("{}");
    change.set("spec", config("x", vni).get("spec"));
    return change;
  }

  private void told(Said said, String name, String uid, int vni, String what) throws Exception {
    var hash = GuardReader.preset("nodeconfig").getFirst().identity().hash(config("x", vni));
    eventually(
        () ->
            assertThat(
                    said.lines(
                        "index: nodeconfig %s (uid %s) %s%s".formatted(name, uid, what, hash)))
                .hasSize(1));
  }

  private ObjectNode record(String suffix, int number) {
    return config(worker + suffix, number);
  }

  private void status(String status) throws Exception {
    api.merge(
            NODE_CONFIGS + "/" + worker + "/status",
            json("{status: {configStatus: '%s'}}".formatted(status)))
        .expect(200);
  }
}
