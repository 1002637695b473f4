package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.ownedBy;
import static dev.shipshape.webhook.NodeConfigs.respelled;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.guard.GuardReader;
import dev.shipshape.webhook.memory.MemoryDesk;
import dev.shipshape.webhook.memory.MemoryDesk.Forgetting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What two replicas remember of a real cluster. */
@ExtendWith(ControlPlaneExtension.class)
class MemoryOnClusterTest {
  private static final AtomicInteger VNI = new AtomicInteger(500_000);
  private static final Duration BOUND = Duration.ofMillis(500);

  /** No other test has this configuration. */
  private final int vni = VNI.getAndAdd(10);

  private final ControlPlane cluster;
  private final UniqueNames names;
  private final Path folder;
  private final Api api;
  private final String namespace;
  private final String user;
  private Replica first;
  private Replica second;

  MemoryOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.cluster = cluster;
    this.names = names;
    this.folder = folder;
    this.api = Api.asAdministrator(cluster);
    this.namespace = names.name("memory");
    this.user = names.name("webhook");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
    Replica.grant(api, namespace, user);
    this.first = replica();
    this.second = replica();
  }

  @AfterEach
  void stop() throws Exception {
    first.close();
    second.close();
    // What is left over would be learned by the next test's replicas.
    for (var config : api.get(NODE_CONFIGS).body().path("items")) {
      api.delete(NODE_CONFIGS + "/" + config.at("/metadata/name").asText()).expect(200);
    }
    api.close();
  }

  @Test
  void aFailureIsRefusedByEveryReplicaAtOnceAndOutlivesItsObjectAndThem() throws Exception {
    var node = names.name("worker");
    var written = fail(node);

    eventuallyBothRefuse();
    assertThat(Duration.ofNanos(System.nanoTime() - written)).isLessThan(BOUND);

    eventually(() -> assertThat(remembered()).contains("\"name\":\"" + node + "\""));
    eventually(
        () ->
            assertThat(
                    first.metric("shipshape_webhook_memory_learned_total")
                        + second.metric("shipshape_webhook_memory_learned_total"))
                .as("counted once, although nothing was there before")
                .isEqualTo(1));
    api.delete(NODE_CONFIGS + "/" + node).expect(200);
    eventually(() -> assertThat(refusalBy(second)).contains("(remembered)"));
    assertThat(refusalBy(first))
        .contains("failed with it on " + node, "status.configStatus is invalid", "forget v1:");
    first.close();
    second.close();
    first = replica();
    second = replica();
    assertThat(first.allows(respelled("other", vni))).isFalse();
    assertThat(second.allows(respelled("other", vni))).isFalse();
    assertThat(second.metric("shipshape_webhook_memory_entries")).isEqualTo(1);
  }

  @Test
  void anInvalidObjectAloneTeachesNothing() throws Exception {
    var node = names.name("worker");
    var uid = api.node(node);
    var record = ownedBy(config(node + "-invalid", vni), node, uid);
    api.post(NODE_CONFIGS, record).expect(201);
    eventuallyBothRefuse();

    api.delete(NODE_CONFIGS + "/" + node + "-invalid").expect(200);

    eventually(() -> assertThat(first.allows(config("other", vni))).isTrue());
    eventually(() -> assertThat(second.allows(config("other", vni))).isTrue());
    assertThat(remembered()).doesNotContain(hash());
  }

  @Test
  void theSameConfigProvisionedLaterIsForgotten() throws Exception {
    var node = names.name("worker");
    fail(node);
    eventually(() -> assertThat(remembered()).contains("\"state\":\"invalid\""));

    // Status times are whole seconds, and only a later one counts: written anew each time.
    eventually(
        () -> {
          status(node, "provisioning");
          status(node, "provisioned");
          assertThat(remembered()).contains("\"state\":\"provisioned\"");
        });

    status(node, "provisioned");
    eventually(() -> assertThat(first.allows(config("other", vni))).isTrue());
    eventually(() -> assertThat(second.allows(config("other", vni))).isTrue());
    assertThat(
            first.metric("shipshape_webhook_memory_forgotten_total", "reason=\"provisioned\"")
                + second.metric(
                    "shipshape_webhook_memory_forgotten_total", "reason=\"provisioned\""))
        .isEqualTo(1);
  }

  @Test
  void whatIsForgottenByHandIsNotLearnedFromTheSameStatusAgainButFromANewOne() throws Exception {
    var node = names.name("worker");
    fail(node);
    eventuallyBothRefuse();
    eventually(() -> assertThat(remembered()).contains(hash()));

    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      var desk = new MemoryDesk(client, namespace);
      assertThat(desk.list().entries()).hasSize(1);
      assertThat(desk.forget("0123456789ab")).isInstanceOf(Forgetting.NoneFound.class);
      assertThat(desk.forget(hash().substring(3, 15))).isInstanceOf(Forgetting.Done.class);
      assertThat(desk.forget(hash().replace('.', ':'))).isInstanceOf(Forgetting.NoneFound.class);
      assertThat(desk.list().entries()).isEmpty();
    }

    eventually(() -> assertThat(first.allows(config("other", vni))).isTrue());
    eventually(() -> assertThat(second.allows(config("other", vni))).isTrue());
    api.merge(NODE_CONFIGS + "/" + node, json("{metadata: {labels: {a: 'b'}}}")).expect(200);
    second.close();
    second = replica();
    assertThat(second.allows(config("other", vni))).isTrue();
    assertThat(first.allows(config("other", vni))).isTrue();

    eventually(
        () -> {
          status(node, "provisioning");
          status(node, "invalid");
          assertThat(first.allows(config("other", vni))).isFalse();
        });
    eventuallyBothRefuse();
  }

  @Test
  void aDamagedEntryCountsForNothingAndTheOthersDo() throws Exception {
    fail(names.name("worker"));
    eventually(() -> assertThat(remembered()).contains(hash()));

    api.merge(configMap(), json("{data: {'v1.broken': 'what', 'README': 'by hand'}}")).expect(200);

    eventually(() -> assertThat(second.metric("shipshape_webhook_memory_unreadable")).isEqualTo(2));
    assertThat(second.server().missing()).isEmpty();
    assertThat(second.allows(config("other", vni))).isFalse();
    assertThat(second.allows(config("other", vni + 5))).isTrue();
    var next = names.name("worker");
    api.post(NODE_CONFIGS, config(next, vni + 5)).expect(201);
    status(next, "invalid");
    eventually(() -> assertThat(remembered()).contains(next));
    assertThat(remembered()).as("nothing is lost").contains("by hand", "what", hash());
  }

  @Test
  void writersInBetweenLoseNothing() throws Exception {
    fail(names.name("worker"));
    eventually(() -> assertThat(remembered()).as("there is something to write to").isNotEmpty());
    for (var count = 1; count < 5; count++) {
      var node = names.name("worker");
      api.post(NODE_CONFIGS, config(node, vni + count)).expect(201);
      status(node, "invalid");
      for (var write = 0; write < 5; write++) {
        var note = json("{data: {'note-%d': '%d'}}".formatted(count, write));
        api.merge(configMap(), note).expect(200);
      }
    }

    eventually(
        () -> {
          assertThat(first.metric("shipshape_webhook_memory_entries")).isEqualTo(5);
          assertThat(remembered().lines().filter(line -> line.startsWith("v1."))).hasSize(5);
        });
    assertThat(remembered()).contains("note-4 4");
  }

  @Test
  void theNextLeaderGoesOnWriting() throws Exception {
    eventually(() -> assertThat(leaders()).isEqualTo(1));
    if (first.metric("shipshape_webhook_leader") == 1) {
      first.close();
      first = second;
    } else {
      second.close();
      second = first;
    }

    fail(names.name("worker"));

    assertThat(first.allows(config("other", vni))).as("learned without a leader").isFalse();
    eventually(() -> assertThat(remembered()).contains(hash()));
    second = replica();
  }

  private double leaders() throws Exception {
    return first.metric("shipshape_webhook_leader") + second.metric("shipshape_webhook_leader");
  }

  private Replica replica() throws Exception {
    return Replica.start(
        cluster,
        folder,
        user,
        "guards: [{preset: nodeconfig}]\nmemory: {enabled: true, namespace: %s}\n"
            .formatted(namespace));
  }

  /** Makes a config fail on a new node; gives when that was written. */
  private long fail(String node) throws Exception {
    api.post(NODE_CONFIGS, config(node, vni)).expect(201);
    var from = System.nanoTime();
    status(node, "invalid");
    return from;
  }

  private void status(String node, String status) throws Exception {
    var body = json("{status: {configStatus: '%s'}}".formatted(status));
    api.merge(NODE_CONFIGS + "/" + node + "/status", body).expect(200);
  }

  private void eventuallyBothRefuse() throws Exception {
    for (var replica : new Replica[] {first, second}) {
      eventually(() -> assertThat(replica.allows(respelled("other", vni))).isFalse());
    }
  }

  private String refusalBy(Replica replica) throws Exception {
    return replica.refusal(config("other", vni));
  }

  private String hash() {
    return GuardReader.preset("nodeconfig")
        .getFirst()
        .identity()
        .hash(config("x", vni))
        .toString()
        .replace(':', '.');
  }

  private String configMap() {
    return "/api/v1/namespaces/" + namespace + "/configmaps/shipshape-known-invalid";
  }

  private String remembered() throws Exception {
    JsonNode data = api.get(configMap()).body().path("data");
    var text = new StringBuilder();
    data.properties()
        .forEach(
            e -> text.append(e.getKey()).append(' ').append(e.getValue().asText()).append('\n'));
    return text.toString();
  }
}
