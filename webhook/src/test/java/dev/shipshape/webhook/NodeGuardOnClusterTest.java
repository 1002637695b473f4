package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;
import static dev.shipshape.webhook.NodeConfigs.config;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The objects of single nodes, guarded against what failed on that node. */
@ExtendWith(ControlPlaneExtension.class)
class NodeGuardOnClusterTest {
  private static final String SCHIFF = "network.schiff.telekom.de";
  private static final String T_CAAS = "network.t-caas.telekom.com";

  private final ControlPlane cluster;
  private final Path folder;
  private final Api api;
  private final String namespace;
  private final String user;
  private final String worker;

  NodeGuardOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
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
    define("revision-era", SCHIFF);
    define("tcaas-era", T_CAAS);
  }

  @AfterEach
  void clean() throws Exception {
    for (var group : new String[] {SCHIFF, T_CAAS}) {
      for (var plural : new String[] {"nodenetworkconfigs", "networkconfigrevisions"}) {
        removeAll("/apis/" + group + "/v1alpha1/" + plural);
      }
    }
    removeAll(NODE_CONFIGS);
    api.close();
  }

  @Test
  void whatFailedOnANodeIsRefusedOnThatNodeAlone() throws Exception {
    try (var replica = replica("{preset: t-caas, guardNodes: true}")) {
      var bad = node(T_CAAS, worker, "r1", 10_100);
      var good = node(T_CAAS, worker, "r2", 10_200);
      failOnNode(bad, "r1");

      eventually(() -> assertThat(replica.allowsUpdate("jane", bad, good)).isFalse());
      assertThat(replica.allowsUpdate("jane", node(T_CAAS, worker, "other", 10_100), good))
          .as("the revision is no part of the content")
          .isFalse();
      assertThat(replica.allowsUpdate("jane", bad, bad)).as("unchanged").isTrue();
      assertThat(replica.allowsUpdate("jane", good, bad)).isTrue();
      assertThat(replica.allows(node(T_CAAS, worker + "-2", "r1", 10_100))).isTrue();
      assertThat(replica.refusal(bad)).contains("failed with it on " + worker, "no route");

      var revision = revision(T_CAAS, worker + "-valid", "r1");
      eventually(
          () -> assertThat(replica.allowsUpdate("jane", ownedBy(bad, revision), good)).isTrue());
      var status = "{status: {isInvalid: true, ready: 0, ongoing: 0, queued: 0, total: 1}}";
      api.merge(path(T_CAAS, "networkconfigrevisions", worker + "-valid/status"), json(status))
          .expect(200);
      eventually(
          () -> assertThat(replica.allowsUpdate("jane", ownedBy(bad, revision), good)).isFalse());
    }
  }

  @Test
  void aStatusAboutAnotherRevisionTeachesNothing() throws Exception {
    try (var replica = replica("{preset: t-caas, guardNodes: true}")) {
      failOnNode(node(T_CAAS, worker, "r2", 10_300), "r1");
      var other = node(T_CAAS, worker + "-2", "r3", 10_400);
      failOnNode(other, "r3");

      eventually(() -> assertThat(replica.allows(other)).isFalse());
      assertThat(
              replica.allowsUpdate(
                  "jane", node(T_CAAS, worker, "r2", 10_300), node(T_CAAS, worker, "r2", 10_301)))
          .isTrue();
    }
  }

  @Test
  void theEarlierEraIsGuardedTheSameWay() throws Exception {
    try (var replica = replica("{preset: schiff-revisions, guardNodes: true}")) {
      var bad = schiffNode(worker, "r1", 10_500);
      api.post(path(SCHIFF, "nodenetworkconfigs", ""), bad).expect(201);
      var status = "{status: {configStatus: 'invalid', lastUpdate: '2024-11-21T09:00:00Z'}}";
      api.merge(path(SCHIFF, "nodenetworkconfigs", worker + "/status"), json(status)).expect(200);

      eventually(
          () ->
              assertThat(replica.allowsUpdate("jane", bad, schiffNode(worker, "r2", 10_501)))
                  .isFalse());
      assertThat(replica.allows(schiffNode(worker + "-2", "r1", 10_500))).isTrue();
    }
  }

  @Test
  void aStatusLeftOverFromTheContentBeforeCountsForNothing() throws Exception {
    try (var replica = replica("{preset: nodeconfig}")) {
      api.post(NODE_CONFIGS, config(worker, 610_000)).expect(201);
      api.merge(NODE_CONFIGS + "/" + worker + "/status", status("invalid")).expect(200);
      eventually(() -> assertThat(replica.allows(config("x", 610_000))).isFalse());

      var back = object("{}");
      back.set("spec", config(worker, 610_010).get("spec"));
      api.merge(NODE_CONFIGS + "/" + worker, back).expect(200);

      var marker = worker + "-2";
      api.post(NODE_CONFIGS, config(marker, 610_020)).expect(201);
      api.merge(NODE_CONFIGS + "/" + marker + "/status", status("invalid")).expect(200);
      eventually(() -> assertThat(replica.allows(config("x", 610_020))).isFalse());
      assertThat(replica.allows(config("x", 610_010))).isTrue();
      assertThat(replica.allows(config("x", 610_000))).as("remembered").isFalse();
    }
  }

  private void failOnNode(ObjectNode config, String appliedRevision) throws Exception {
    api.post(path(T_CAAS, "nodenetworkconfigs", ""), config).expect(201);
    var status =
        """
        {status: {configStatus: 'invalid', lastUpdate: '2026-08-06T16:44:40Z',
         lastAppliedRevision: '%s', errorMessage: 'no route'}}
        """
            .formatted(appliedRevision);
    api.merge(
            path(T_CAAS, "nodenetworkconfigs", config.at("/metadata/name").asText() + "/status"),
            json(status))
        .expect(200);
  }

  private JsonNode revision(String group, String name, String revision) throws Exception {
    var object =
        """
        {apiVersion: '%s/v1alpha1', kind: 'NetworkConfigRevision', metadata: {name: '%s'},
         spec: {revision: '%s'}}
        """
            .formatted(group, name, revision);
    return api.post(path(group, "networkconfigrevisions", ""), json(object)).expect(201).body();
  }

  private static ObjectNode ownedBy(ObjectNode config, JsonNode revision) {
    var owned = config.deepCopy();
    var owner = owned.withObject("metadata").withArray("ownerReferences").addObject();
    owner.put("apiVersion", revision.path("apiVersion").asText());
    owner.put("kind", "NetworkConfigRevision");
    owner.set("name", revision.at("/metadata/name"));
    owner.set("uid", revision.at("/metadata/uid"));
    return owned;
  }

  private static ObjectNode node(String group, String name, String revision, int vni) {
    return object(
        """
        {apiVersion: '%s/v1alpha1', kind: 'NodeNetworkConfig', metadata: {name: '%s'},
         spec: {revision: '%s',
                layer2s: {'100': {vni: %d, vlan: 100, routeTarget: '', mtu: 1500}}}}
        """
            .formatted(group, name, revision, vni));
  }

  private static ObjectNode schiffNode(String name, String revision, int vni) {
    return object(
        """
        {apiVersion: 'network.schiff.telekom.de/v1alpha1', kind: 'NodeNetworkConfig',
         metadata: {name: '%s'},
         spec: {revision: '%s', layer2: [{id: 100, mtu: 1500, vni: %d}], vrf: [],
                routingTable: []}}
        """
            .formatted(name, revision, vni));
  }

  private static JsonNode status(String status) {
    return json("{status: {configStatus: '%s'}}".formatted(status));
  }

  private Replica replica(String guard) throws Exception {
    return Replica.start(
        cluster,
        folder,
        user,
        "guards: [%s]\nmemory: {enabled: true, namespace: %s}\n".formatted(guard, namespace));
  }

  private void define(String era, String group) throws Exception {
    ReferenceDefinitions.define(api, era, group, "networkconfigrevisions", "NetworkConfigRevision");
    ReferenceDefinitions.define(api, era, group, "nodenetworkconfigs", "NodeNetworkConfig");
  }

  private void removeAll(String path) throws Exception {
    for (var item : api.get(path).body().path("items")) {
      api.delete(path + "/" + item.at("/metadata/name").asText()).expect(200);
    }
  }

  private static String path(String group, String plural, String name) {
    return "/apis/" + group + "/v1alpha1/" + plural + (name.isEmpty() ? "" : "/" + name);
  }
}
