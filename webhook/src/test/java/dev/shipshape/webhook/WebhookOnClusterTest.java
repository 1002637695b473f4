package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.ownedBy;
import static dev.shipshape.webhook.NodeConfigs.respelled;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.guard.GuardReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the API server makes of the webhook's answers. */
@ExtendWith(ControlPlaneExtension.class)
class WebhookOnClusterTest {
  private static final AtomicInteger VNI = new AtomicInteger(10_000);

  private static Api api;
  private static InstalledWebhook webhook;

  /** No other test has this configuration. */
  private final int vni = VNI.getAndAdd(10);

  @BeforeAll
  static void install(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    api = Api.asAdministrator(cluster);
    webhook = InstalledWebhook.install(cluster, api, folder, names.name("shipshape"));
  }

  @AfterAll
  static void remove() throws Exception {
    webhook.remove();
    api.close();
  }

  @Test
  void aConfigIsAdmittedAndStampedWithTheHashOfWhatIsStored(UniqueNames names) throws Exception {
    var name = names.name("worker");

    var stored = create(config(name, vni)).expect(201);

    var identity = GuardReader.preset("nodeconfig").getFirst().identity();
    assertThat(stored.annotation(Stamper.CONFIG_HASH))
        .isEqualTo(identity.hash(stored.body()).toString())
        .isEqualTo(identity.hash(config(name, vni)).toString());
    assertThat(stored.annotation(Stamper.NON_STATUS_HASH))
        .isEqualTo(NonStatusHash.of(stored.object()).toString());
  }

  @Test
  void aKnownInvalidConfigIsRejectedByTheApiServerHoweverItIsSpelled(UniqueNames names)
      throws Exception {
    var node = names.name("worker");
    create(config(node, vni + 2)).expect(201);
    recordInvalid(node, vni);

    var reply = update(node, respelled(node, vni)).expect(403);

    assertThat(reply.body().path("reason").asText()).isEqualTo("Forbidden");
    assertThat(reply.message())
        .startsWith("admission webhook \"validate.shipshape.dev\" denied the request: ")
        .contains("this configuration is known invalid: it equals " + node + "-invalid")
        .contains("failed on " + node)
        .contains("delete nodeconfigs.network.schiff.telekom.de " + node + "-invalid");
    assertThat(api.get(NODE_CONFIGS + "/" + node).body().at("/spec/layer2/0/vni").asInt())
        .isEqualTo(vni + 2);
  }

  @Test
  void aConfigIsAdmittedAgainOnceItsRecordIsGone(UniqueNames names) throws Exception {
    var node = names.name("worker");
    recordInvalid(node, vni);
    create(config(node, vni)).expect(403);

    api.delete(NODE_CONFIGS + "/" + node + "-invalid").expect(200);

    eventually(() -> create(config(node, vni)).expect(201));
  }

  @Test
  void goingBackToTheNodesBackupPasses(UniqueNames names) throws Exception {
    var node = names.name("worker");
    create(config(node, vni + 2)).expect(201);
    var uid = recordInvalid(node, vni);
    update(node, config(node, vni)).expect(403);

    create(ownedBy(config(node + "-backup", vni), node, uid)).expect(201);

    eventually(() -> update(node, respelled(node, vni)).expect(200));
  }

  @Test
  void writesThatLeaveABadConfigAsItIsPass(UniqueNames names) throws Exception {
    var node = names.name("worker");
    create(config(node, vni)).expect(201);
    recordInvalid(node, vni);

    var annotated =
        api.merge(NODE_CONFIGS + "/" + node, json("{metadata: {annotations: {a: 'b'}}}"))
            .expect(200);
    var finalized =
        api.merge(NODE_CONFIGS + "/" + node, json("{metadata: {finalizers: ['example.com/x']}}"))
            .expect(200);
    api.delete(NODE_CONFIGS + "/" + node).expect(200);
    api.merge(NODE_CONFIGS + "/" + node, json("{metadata: {finalizers: null}}")).expect(200);

    assertThat(annotated.annotation("a")).isEqualTo("b");
    assertThat(finalized.body().at("/metadata/finalizers")).hasSize(1);
    eventually(() -> api.get(NODE_CONFIGS + "/" + node).expect(404));
  }

  @Test
  void aNodeWhoseStatusSaysInvalidWarnsOffOthers(UniqueNames names) throws Exception {
    var node = names.name("worker");
    create(config(node, vni)).expect(201);
    var failed =
        api.merge(
                NODE_CONFIGS + "/" + node + "/status", json("{status: {configStatus: 'invalid'}}"))
            .expect(200);
    var other = names.name("worker");

    var reply = eventually(() -> create(respelled(other, vni)).expect(403));

    assertThat(reply.message()).contains(node, "whose own status says that it is invalid");
    assertThat(failed.body().at("/status/configStatus").asText()).isEqualTo("invalid");
    update(node, config(node, vni + 2)).expect(200);
    update(node, config(node, vni)).expect(200);
  }

  @Test
  void forgedHashesAreOverwritten(UniqueNames names) throws Exception {
    var name = names.name("worker");
    var stored = create(config(name, vni)).expect(201);

    var forged =
        api.merge(
                NODE_CONFIGS + "/" + name,
                json(
                    """
                    {metadata: {annotations: {'shipshape.dev/config-hash': 'v1:forged',
                     'shipshape.dev/non-status-hash': null}}}
                    """))
            .expect(200);

    assertThat(forged.annotation(Stamper.CONFIG_HASH))
        .isEqualTo(stored.annotation(Stamper.CONFIG_HASH));
    assertThat(forged.annotation(Stamper.NON_STATUS_HASH))
        .isEqualTo(stored.annotation(Stamper.NON_STATUS_HASH));
  }

  @Test
  void aWriteThatChangesNothingIsNoWrite(UniqueNames names) throws Exception {
    var name = names.name("worker");
    var path = NODE_CONFIGS + "/" + name;
    var first = api.apply(path, config(name, vni)).expect(201);
    var patched = webhook.metric("shipshape_webhook_requests_total", "decision=\"patched\"");

    var second = api.apply(path, config(name, vni)).expect(200);
    var third = api.put(path, second.body()).expect(200);

    assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
    assertThat(third.resourceVersion()).isEqualTo(first.resourceVersion());
    assertThat(webhook.metric("shipshape_webhook_requests_total", "decision=\"patched\""))
        .isEqualTo(patched);
  }

  @Test
  void aSpecThatTheApiServerRefusesAnywayStillGetsItsOwnError(UniqueNames names) throws Exception {
    var mistyped = config(names.name("worker"), vni);
    mistyped.withObject("spec").put("layer2", "foo");

    assertThat(create(mistyped).expect(422).message()).contains("spec.layer2");
  }

  @Test
  void aDryRunIsDecidedLikeAnyWrite(UniqueNames names) throws Exception {
    var node = names.name("worker");
    recordInvalid(node, vni);

    api.post(NODE_CONFIGS + "?dryRun=All", config(node, vni)).expect(403);
    api.post(NODE_CONFIGS + "?dryRun=All", config(node, vni + 2)).expect(201);
  }

  @Test
  void whoeverMayOverrideCanWriteAKnownInvalidConfigAndNobodyElse(
      ControlPlane cluster, UniqueNames names) throws Exception {
    var node = names.name("worker");
    recordInvalid(node, vni);
    var hash = GuardReader.preset("nodeconfig").getFirst().identity().hash(config(node, vni));
    var annotated = config(node, vni);
    annotated
        .withObject("metadata")
        .putObject("annotations")
        .put("shipshape.dev/allow-known-invalid", hash.toString());
    var user = names.name("operator");
    grant(user, "network.schiff.telekom.de", "create");
    try (var somebody = Api.as(cluster, user)) {
      eventually(
          () ->
              assertThat(somebody.post(NODE_CONFIGS, annotated).expect(403).message())
                  .contains("known invalid", hash.toString(), "the verb override on nodeconfigs"));

      grant(user, "shipshape.dev", "override");

      eventually(() -> somebody.post(NODE_CONFIGS + "?dryRun=All", annotated).expect(201));
      somebody.post(NODE_CONFIGS, config(node, vni)).expect(403);
      somebody.post(NODE_CONFIGS, annotated).expect(201);
    }
    assertThat(webhook.metric("shipshape_webhook_requests_total", "decision=\"overridden\""))
        .isPositive();
    var overridden = "validate-override.shipshape.dev/decision\":\"overridden\"";
    var denied = "validate.shipshape.dev/decision\":\"denied\"";
    eventually(
        () ->
            assertThat(Files.readAllLines(cluster.auditLog()))
                .filteredOn(line -> line.contains(hash.toString()))
                .anyMatch(line -> line.contains(overridden))
                .anyMatch(line -> line.contains(denied)));
  }

  @Test
  void theWebhookItselfOnlyListsAndWatches(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var name = names.name("worker");
    create(config(name, vni)).expect(201);
    for (var round = 0; round < 3; round++) {
      api.apply(NODE_CONFIGS + "/" + name, config(name, vni)).expect(200);
    }

    var requests =
        Files.readAllLines(cluster.auditLog()).stream()
            .filter(line -> line.contains("\"username\":\"" + InstalledWebhook.USER + "\""))
            .map(Json::json)
            .map(event -> event.path("verb").asText())
            .toList();

    assertThat(requests).isNotEmpty().allMatch(verb -> List.of("list", "watch").contains(verb));
    assertThat(requests)
        .as("one list and one watch a guard, each logged twice")
        .hasSizeLessThan(12);
  }

  @Test
  void aRevisionEqualToAnInvalidOneIsRejectedWithWhatItsStatusTells(UniqueNames names)
      throws Exception {
    var first = names.name("revision");
    api.post(Api.REVISIONS, revision(first, "a", vni)).expect(201);
    var status =
        """
        {status: {isInvalid: true, ready: 0, ongoing: 0, queued: 0, total: 1, failedNode: 'worker-1', failedMessage: 'no route to it',
         failedAt: '2026-08-06T16:44:40Z'}}
        """;
    api.merge(Api.REVISIONS + "/" + first + "/status", json(status)).expect(200);
    var second = names.name("revision");

    var reply =
        eventually(
            () -> api.post(Api.REVISIONS + "?dryRun=All", revision(second, "b", vni)).expect(403));

    assertThat(reply.message())
        .contains(first, "on worker-1", "since 2026-08-06T16:44:40Z", "no route to it");
    api.post(Api.REVISIONS, revision(second, "b", vni + 1)).expect(201);
    api.delete(Api.REVISIONS + "/" + first).expect(200);
    eventually(() -> api.post(Api.REVISIONS, revision(names.name("r"), "c", vni)).expect(201));
  }

  @Test
  void eachPresetsProbeIsRefusedWhereNothingElseIsKnown() throws Exception {
    for (var preset : List.of("nodeconfig", "t-caas")) {
      var guard = GuardReader.preset(preset).getFirst();
      var path = "/apis/" + guard.resource().group() + "/v1alpha1/";
      var probe = Objects.requireNonNull(guard.probe());

      var reply =
          api.post(path + guard.resource().plural() + "?dryRun=All", probe.object()).expect(403);

      assertThat(reply.message()).contains("equals shipshape's own probe");
    }
  }

  private static ObjectNode revision(String name, String hash, int vni) {
    return Json.object(
        """
        {apiVersion: 'network.t-caas.telekom.com/v1alpha1', kind: 'NetworkConfigRevision',
         metadata: {name: '%s'},
         spec: {revision: '%s', layer2: [{name: 'a', id: 100, mtu: 1500, vni: %d}]}}
        """
            .formatted(name, hash, vni));
  }

  private static void grant(String user, String group, String verb) throws Exception {
    var name = user + "-" + verb;
    var rbac = "/apis/rbac.authorization.k8s.io/v1/";
    var role =
        json(
            """
            {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: {name: '%s'},
             rules: [{apiGroups: ['%s'], resources: ['nodeconfigs'], verbs: ['%s']}]}
            """
                .formatted(name, group, verb));
    var binding =
        json(
            """
            {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding',
             metadata: {name: '%1$s'},
             roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '%1$s'},
             subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: '%2$s'}]}
            """
                .formatted(name, user));
    api.apply(rbac + "clusterroles/" + name, role).expect(201);
    api.apply(rbac + "clusterrolebindings/" + name, binding).expect(201);
  }

  private static Api.Reply create(ObjectNode object) throws Exception {
    return api.post(NODE_CONFIGS, object);
  }

  private static Api.Reply update(String name, ObjectNode config) throws Exception {
    var stored = api.get(NODE_CONFIGS + "/" + name).expect(200).object();
    stored.set("spec", config.get("spec"));
    return api.put(NODE_CONFIGS + "/" + name, stored);
  }

  /** Records a config as failed on a new node, and waits until the webhook knows. */
  private static String recordInvalid(String node, int vni) throws Exception {
    var uid = api.node(node);
    create(ownedBy(config(node + "-invalid", vni), node, uid)).expect(201);
    eventually(() -> api.post(NODE_CONFIGS + "?dryRun=All", config(node + "-x", vni)).expect(403));
    return uid;
  }
}
