package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator that makes no revisions and writes each node's object itself, one after the other:
 * for each write the API server asks first, and what is refused is not written.
 */
@ExtendWith(ControlPlaneExtension.class)
class IntentModeOnClusterTest {
  private static final String NODES =
      "/apis/network.t-caas.telekom.com/v1alpha1/nodenetworkconfigs";
  private static final String INTENTS = "network-connector.sylvaproject.org";
  private static final String OPERATOR = "system:serviceaccount:kube-system:network-operator";

  private final int good = GuardedCluster.newVni();
  private final int bad = good + 1;
  private final Api api;
  private final Replica replica;
  private final String namespace;
  private final String intent;
  private final String first;
  private final String second;
  private final String third;

  IntentModeOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    api = Api.asAdministrator(cluster);
    namespace = names.namespace("intents");
    intent = names.name("vlan");
    first = names.name("worker");
    second = names.name("worker");
    third = names.name("worker");
    var user = names.name("webhook");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
    ReferenceDefinitions.define(
        api, "tcaas-era", "network.t-caas.telekom.com", "nodenetworkconfigs", "NodeNetworkConfig");
    defineIntents();
    replica = Replica.start(cluster, folder, user, "guards: [{preset: t-caas-intent}]\n");
    for (var node : List.of(first, second)) {
      assertThat(apply(node, good)).isTrue();
      report(node, good, "provisioning", "");
      report(node, good, "provisioned", "");
    }
    var path = "/apis/" + INTENTS + "/v1alpha1/namespaces/" + namespace + "/layer2attachments";
    var attachment =
        "{apiVersion: '%s/v1alpha1', kind: 'Layer2Attachment', metadata: {name: '%s'}}";
    api.post(path, json(attachment.formatted(INTENTS, intent))).expect(201);
  }

  @AfterEach
  void clean() throws Exception {
    replica.close();
    for (var node : List.of(first, second, third)) {
      api.delete(NODES + "/" + node);
      KnownInvalidConfigurations.delete(api, node);
    }
    api.close();
  }

  @Test
  void whatFailedOnANodeIsRefusedOnTheOthersWhichGoOnWithAnother() throws Exception {
    fail(first, bad);

    assertThat(apply(second, bad)).as("the next reconcile").isFalse();
    assertThat(replica.refusal(config(second, bad))).contains("equals " + first, "no route to it");
    assertThat(apply(third, bad)).as("a new node").isFalse();
    assertThat(apply(second, bad + 1)).as("a corrected intent").isTrue();
    assertThat(apply(first, bad + 1)).as("the node that failed").isTrue();
  }

  @Test
  void theIntentsGetEventsAsTheirConditionsStayReady() throws Exception {
    fail(first, bad);
    var refused = Instant.now();

    assertThat(apply(second, bad)).isFalse();

    var event = eventually(this::eventOnTheIntent);
    assertThat(Duration.between(refused, Instant.parse(event.path("eventTime").asText())))
        .isLessThan(Duration.ofSeconds(2));
    assertThat(event.path("action").asText()).isEqualTo("Refuse");
    assertThat(event.path("note").asText())
        .startsWith("NodeNetworkConfig " + second + ": this configuration is known invalid");
    assertThat(event.at("/regarding/uid").asText()).isNotEmpty();
  }

  @Test
  void aNodeGoesBackToWhatItLastWorkedWithThoughThatFailedElsewhereMeanwhile() throws Exception {
    fail(first, bad);
    report(second, good, "invalid", "it worked before");
    eventually(() -> assertThat(replica.allows(ofNoIntent(good))).isFalse());

    assertThat(apply(first, good)).as("it worked there last").isTrue();
    assertThat(replica.allowsUpdate(OPERATOR, config(second, good), config(second, bad)))
        .as("it failed there")
        .isFalse();
  }

  @Promise(
      value = "An operator may take ownership of an object that it already rolls out.",
      breaks = "Treating owners and labels as part of the configuration.")
  @Test
  void whatOnlyBecomesTheOperatorsOwnPassesWhileItHoldsWhatFailed() throws Exception {
    fail(first, bad);
    var held = api.get(NODES + "/" + first).expect(200).object();
    var owned = held.deepCopy();
    owned.withObject("metadata").putArray("ownerReferences");

    assertThat(replica.allowsUpdate(OPERATOR, owned, held)).isTrue();
  }

  /** An intent changes; the node's agent tries what comes of it, and it fails. */
  private void fail(String node, int vni) throws Exception {
    assertThat(apply(node, vni)).isTrue();
    report(node, vni, "provisioning", "");
    report(node, vni, "invalid", "no route to it");
    eventually(() -> assertThat(replica.allows(ofNoIntent(vni))).isFalse());
    eventually(() -> assertThat(KnownInvalidConfigurations.of(api, node)).isNotEmpty());
  }

  /**
   * As the reconciler does: get, compare the revision, create or update. Whether it was written.
   */
  private boolean apply(String node, int vni) throws Exception {
    var wanted = config(node, vni);
    var there = api.get(NODES + "/" + node);
    if (there.status() == 404) {
      var allowed = replica.allowsCreation(OPERATOR, wanted);
      if (allowed) {
        api.post(NODES + "?fieldManager=operator", wanted).expect(201);
      }
      return allowed;
    }
    var stored = there.object();
    var next = stored.deepCopy();
    next.set("spec", wanted.get("spec"));
    next.withObject("metadata").set("annotations", wanted.at("/metadata/annotations"));
    var allowed = replica.allowsUpdate(OPERATOR, next, stored);
    if (allowed) {
      api.put(NODES + "/" + node + "?fieldManager=operator", next).expect(200);
    }
    return allowed;
  }

  private void report(String node, int vni, String status, String error) throws Exception {
    var body =
        "{status: {configStatus: '%s', lastUpdate: '%s', lastAppliedRevision: '%s', errorMessage: '%s'}}"
            .formatted(status, Instant.now(), revision(vni), error);
    api.merge(NODES + "/" + node + "/status?fieldManager=agent", json(body)).expect(200);
  }

  private ObjectNode config(String node, int vni) {
    var config =
        object(
            """
            {apiVersion: 'network.t-caas.telekom.com/v1alpha1', kind: 'NodeNetworkConfig',
             metadata: {name: '%s', labels: {'%s/managed-by': 'intent'}},
             spec: {revision: '%s', fabricVRFs: {}, localVRFs: {},
                    layer2s: {'100': {vni: %d, vlan: 100, routeTarget: '65188:1', mtu: 1500}}}}
            """
                .formatted(node, INTENTS, revision(vni), vni));
    config
        .withObject("metadata")
        .putObject("annotations")
        .put(INTENTS + "/origins", "{\"layer2s/100\":\"Layer2Attachment/%s\"}".formatted(intent));
    return config;
  }

  /** To ask with, without an Event on the intent. */
  private ObjectNode ofNoIntent(int vni) {
    var config = config("any", vni);
    config.withObject("metadata").remove("annotations");
    return config;
  }

  private static String revision(int vni) {
    return "%064x".formatted(vni);
  }

  private JsonNode eventOnTheIntent() throws Exception {
    var about =
        api.events(namespace)
            .filter(event -> event.at("/regarding/name").asText().equals(intent))
            .filter(event -> event.path("action").asText().equals("Refuse"))
            .toList();
    assertThat(about).isNotEmpty();
    return about.getFirst();
  }

  private void defineIntents() throws Exception {
    api.applyYaml(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/layer2attachments." + INTENTS,
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: layer2attachments.%1$s}
        spec:
          group: %1$s
          scope: Namespaced
          names: {kind: Layer2Attachment, plural: layer2attachments}
          versions:
          - name: v1alpha1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """
            .formatted(INTENTS));
    eventually(() -> api.get("/apis/" + INTENTS + "/v1alpha1/layer2attachments").expect(200));
  }
}
