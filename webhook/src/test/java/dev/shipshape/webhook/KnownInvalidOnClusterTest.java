package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.KNOWN_INVALID;
import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.respelled;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.config.GuardReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What two replicas learn in a real cluster, and keep there as KnownInvalidConfigurations. */
@ExtendWith(ControlPlaneExtension.class)
class KnownInvalidOnClusterTest {
  private static final String LEARNED = "shipshape_webhook_known_invalid_learned_total";

  /** No other test has this configuration. */
  private final int vni = GuardedCluster.newVni();

  private final ControlPlane cluster;
  private final UniqueNames names;
  private final Path folder;
  private final Api api;
  private final String user;
  private final String worker;
  private final List<Replica> replicas = new ArrayList<>();
  private final List<String> written = new ArrayList<>();

  KnownInvalidOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.cluster = cluster;
    this.names = names;
    this.folder = folder;
    this.api = Api.asAdministrator(cluster);
    this.user = names.name("webhook");
    this.worker = names.name("worker");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
  }

  @AfterEach
  void stop() throws Exception {
    replicas.forEach(Replica::close);
    for (var name : written) {
      api.delete(NODE_CONFIGS + "/" + name);
    }
    api.close();
  }

  @Promise(
      value = "A known-invalid configuration outlives its object and all replicas.",
      breaks = "Storing it only in memory.")
  @Test
  void aFailureIsLearnedOnceAndOutlivesItsObjectAndTheReplicas() throws Exception {
    var first = replica("");
    var second = replica("");
    var before = learned(first) + learned(second);

    try (var log = new CapturedLog()) {
      fail(worker, vni);
      eventually(() -> assertThat(first.allows(respelled("other", vni))).isFalse());
      eventually(() -> assertThat(second.allows(respelled("other", vni))).isFalse());

      // More, if other tests have left what is not stored.
      eventually(() -> assertThat(learned(first) + learned(second)).isGreaterThan(before));
      eventually(
          () -> assertThat(log.lines("known invalid: wrote ", digits(vni))).as("once").hasSize(1));
    }
    var known = known(worker);
    assertThat(known.at("/metadata/name").asText()).isEqualTo("nodeconfig." + digits(vni));
    assertThat(known.at("/spec/source/kind").asText()).isEqualTo("NodeConfig");
    var failure = known.at("/spec/failures/" + worker);
    assertThat(failure.path("writer").asText()).isEqualTo("agent");
    assertThat(failure.path("message").asText()).contains("status.configStatus is invalid");
    assertThat(known.at("/spec/content/layer2")).hasSize(2);

    remove(worker);
    replicas.forEach(Replica::close);
    var next = replica("");
    assertThat(next.refusal(config("other", vni)))
        .contains("(remembered)", " on " + worker, "(agent: ", "forget v1:");
  }

  @Test
  void thatItIsLearnedIsSaidOnTheObjectWithNodeReasonAndWriter() throws Exception {
    var ignored = List.of(replica(""), replica(""));

    var uid = fail(worker, vni);

    eventually(
        () ->
            assertThat(api.events("default"))
                .filteredOn(event -> event.at("/regarding/uid").asText().equals(uid))
                .singleElement()
                .satisfies(
                    event -> {
                      assertThat(event.path("action").asText()).isEqualTo("Learn");
                      assertThat(event.path("note").asText())
                          .contains(
                              "failed on " + worker, "agent wrote", "configStatus is invalid");
                    }));
  }

  @Test
  void thoseThatSomebodysPolicyRefusesKeepNoOtherFromBeingWrittenAndCounted() throws Exception {
    var policy = names.name("policy");
    var path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
    api.post(path + "ies", policy(policy, digits(vni), digits(vni + 6))).expect(201);
    api.post(
            path + "ybindings",
            json(
                "{metadata: {name: '%1$s'}, spec: {policyName: '%1$s', validationActions: ['Deny']}}"
                    .formatted(policy)))
        .expect(201);
    try {
      var refused = declared("nodeconfig");
      eventually(
          () ->
              assertThat(api.post(KNOWN_INVALID + "?dryRun=All", refused).status()).isEqualTo(403));
      var replica = replica("");

      for (var number = 0; number < 7; number++) {
        fail(worker + number, vni + number);
      }

      for (var number = 1; number < 6; number++) {
        var other = worker + number;
        eventually(() -> assertThat(KnownInvalidConfigurations.of(api, other)).hasSize(1));
      }
      assertThat(KnownInvalidConfigurations.of(api, worker + 0)).isEmpty();
      assertThat(replica.allows(respelled("other", vni + 1))).isFalse();
      eventually(() -> assertThat(known(worker + 1).at("/status/refused").asInt()).isPositive());
    } finally {
      api.delete(path + "ybindings/" + policy);
      api.delete(path + "ies/" + policy);
    }
  }

  private static JsonNode policy(String name, String... refused) {
    return json(
        """
        {metadata: {name: '%s'}, spec: {
          matchConstraints: {resourceRules: [{apiGroups: ['shipshape.dev'], apiVersions: ['*'],
            resources: ['knowninvalidconfigurations'], operations: ['CREATE']}]},
          validations: [{expression: "!object.metadata.name.matches('nodeconfig.(%s)')",
            reason: 'Forbidden'}]}}
        """
            .formatted(name, String.join("|", refused)));
  }

  @Test
  void kubectlShowsWhatItIsAbout() throws Exception {
    var ignored = replica("");
    fail(worker, vni);
    eventually(() -> assertThat(verdicts()).hasSize(1));

    var columns = new ArrayList<String>();
    var definition =
        api.get(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
                    + "knowninvalidconfigurations.shipshape.dev")
            .body();
    for (var column : definition.at("/spec/versions/0/additionalPrinterColumns")) {
      var path = column.path("jsonPath").asText().replace('.', '/');
      columns.add(column.path("name").asText() + " " + known(worker).at(path).asText());
    }

    assertThat(columns)
        .contains("Guard nodeconfig", "Source " + worker, "Nodes " + worker, "Verdict Invalid")
        .anySatisfy(column -> assertThat(column).startsWith("Message ").contains("invalid"))
        .anySatisfy(column -> assertThat(column).startsWith("Age 20"));
  }

  @Test
  void refusedWritesAreCountedWithTheirLastWriterAndSoAreObjectsThatHoldIt() throws Exception {
    var replica = replica("");
    var before = holders(replica);
    fail(worker, vni);
    eventually(() -> assertThat(verdicts()).containsExactly("Invalid"));
    api.post(NODE_CONFIGS, config(worker + "-b", vni)).expect(201);
    written.add(worker + "-b");
    eventually(() -> assertThat(holders(replica)).isEqualTo(before + 2));

    assertThat(replica.allows(config("other", vni))).isFalse();

    eventually(() -> assertThat(known(worker).at("/status/refused").asInt()).isOne());
    var status = known(worker).path("status");
    assertThat(status.path("warned").asInt()).isZero();
    assertThat(status.path("lastWriter").asText()).isEqualTo("jane");
    assertThat(Instant.parse(status.path("lastAt").asText())).isBefore(Instant.now());
    assertThat(status.path("nodes").asText()).isEqualTo(worker);
    KnownInvalidConfigurations.clear(api, worker);
    eventually(() -> assertThat(holders(replica)).isEqualTo(before));
  }

  @Test
  void whatSomebodyStillTriesOrHasClearedOutlastsItsRetention() throws Exception {
    var longAgo = Instant.parse("2026-01-01T00:00:00Z");
    var tried = ", lastAt: '%s'".formatted(Instant.now().plusSeconds(600));
    remember(worker + "-tried", vni, "Invalid", longAgo, tried);
    remember(worker + "-cleared", vni + 1, "Cleared", longAgo, "");
    remember(worker + "-later", vni + 2, "Invalid", Instant.now().plusSeconds(2), "");

    var replica = replica("knownInvalid: {keep: 2s}\n");

    eventually(() -> assertThat(KnownInvalidConfigurations.of(api, worker + "-later")).isEmpty());
    remember(worker + "-untried", vni + 3, "Invalid", longAgo, "");
    eventually(() -> assertThat(KnownInvalidConfigurations.of(api, worker + "-untried")).isEmpty());
    assertThat(replica.refusal(config("any", vni))).contains(worker + "-tried (imported)");
    assertThat(KnownInvalidConfigurations.of(api, worker + "-cleared")).hasSize(1);
    KnownInvalidConfigurations.delete(api, worker + "-tried");
    KnownInvalidConfigurations.delete(api, worker + "-cleared");
  }

  private void remember(String source, int number, String verdict, Instant failedAt, String status)
      throws Exception {
    api.post(
            KNOWN_INVALID,
            json(
                """
                {apiVersion: 'shipshape.dev/v1alpha1', kind: 'KnownInvalidConfiguration',
                 metadata: {name: 'nodeconfig.%1$s'},
                 spec: {guard: 'nodeconfig', hash: 'v1:%1$s', verdict: '%3$s',
                        source: {kind: 'NodeConfig', name: '%2$s'},
                        failures: {a: {failedAt: '%4$s'}}},
                 status: {refused: 1%5$s}}
                """
                    .formatted(digits(number), source, verdict, failedAt, status)))
        .expect(201);
  }

  private static double holders(Replica replica) throws Exception {
    return replica.metric("shipshape_webhook_objects_known_invalid");
  }

  @Test
  void whatIsClearedByHandIsNotLearnedFromAStatusOfBeforeButFromANewOne() throws Exception {
    var replica = replica("");
    fail(worker, vni);
    eventually(() -> assertThat(verdicts()).containsExactly("Invalid"));

    KnownInvalidConfigurations.clear(api, worker);

    eventually(() -> assertThat(replica.allows(config("other", vni))).isTrue());
    api.merge(NODE_CONFIGS + "/" + worker, json("{metadata: {labels: {a: 'b'}}}")).expect(200);
    var next = replica("");
    assertThat(next.allows(config("other", vni))).isTrue();
    assertThat(replica.allows(config("other", vni))).isTrue();

    eventually(
        () -> {
          api.report(worker, "provisioning");
          api.report(worker, "invalid");
          assertThat(next.allows(config("other", vni))).isFalse();
        });
    eventually(() -> assertThat(replica.allows(config("other", vni))).isFalse());
    eventually(() -> assertThat(verdicts()).containsExactly("Invalid"));
  }

  @Promise(
      value = "Deleting a KnownInvalidConfiguration forgets it.",
      breaks = "Deciding from an index that misses deletions.")
  @Test
  void deletingItForgetsWhatNoObjectSaysAnyMore() throws Exception {
    var replica = replica("");
    fail(worker, vni);
    eventually(() -> assertThat(verdicts()).containsExactly("Invalid"));
    remove(worker);
    eventually(() -> assertThat(replica.refusal(config("other", vni))).contains("(remembered)"));

    KnownInvalidConfigurations.delete(api, worker);

    eventually(() -> assertThat(replica.allows(config("other", vni))).isTrue());
  }

  /** A label moves the time that the API server tells of its writer's other fields. */
  @Test
  void aLabelThatIsSetAfterTheStatusMakesNoReplicaForgetWhenItStartsAnew() throws Exception {
    var before = replica("");
    var good = config(worker, vni + 1);
    api.post(NODE_CONFIGS + "?fieldManager=editor", good).expect(201);
    written.add(worker);
    api.rollOut(worker, vni);
    api.report(worker, "invalid");
    eventually(() -> assertThat(before.allows(config("other", vni))).isFalse());
    eventually(() -> assertThat(verdicts()).containsExactly("Invalid"));
    var second = Instant.now().plusSeconds(1);
    eventually(() -> assertThat(Instant.now()).isAfter(second));
    api.merge(
            NODE_CONFIGS + "/" + worker + "?fieldManager=editor",
            json("{metadata: {labels: {a: 'b'}}}"))
        .expect(200);

    var after = replica("");

    assertThat(after.allows(config("other", vni))).isFalse();
    assertThat(before.allows(config("other", vni))).isFalse();
  }

  @Test
  void nothingIsTooOldByAnApiServersClockThatIsDaysAhead() throws Exception {
    InstantSource ahead = () -> Instant.now().plus(Duration.ofDays(31));
    fail(worker, vni);
    var usual = replica("");
    eventually(() -> assertThat(verdicts()).containsExactly("Invalid"));
    remove(worker);
    try (var log = new CapturedLog()) {
      var replica =
          Replica.start(cluster, folder, user, settings("knownInvalid: {keep: 3s}\n"), ahead);
      replicas.add(replica);

      eventually(() -> assertThat(log.lines("differs by more than a day")).isNotEmpty());
      assertThat(replica.allows(config("other", vni))).isFalse();
    }
    assertThat(usual.allows(config("other", vni))).isFalse();
  }

  @Test
  void ofMoreThanMayBeKeptTheNewestStay() throws Exception {
    var ignored = replica("");
    var older = names.name("worker");
    var cleared = names.name("worker");
    fail(older, vni);
    fail(cleared, vni + 2);
    eventually(() -> assertThat(KnownInvalidConfigurations.of(api, older)).hasSize(1));
    eventually(() -> assertThat(KnownInvalidConfigurations.of(api, cleared)).hasSize(1));
    KnownInvalidConfigurations.clear(api, cleared);
    var second = Instant.now().plusSeconds(1);
    eventually(() -> assertThat(Instant.now()).isAfter(second));
    fail(worker, vni + 1);
    eventually(() -> assertThat(verdicts()).containsExactly("Invalid"));

    var one = replica("knownInvalid: {entries: 1, keep: 10s}\n");

    eventually(() -> assertThat(KnownInvalidConfigurations.of(api, older)).isEmpty());
    assertThat(one.allows(config("other", vni + 1))).isFalse();
    assertThat(KnownInvalidConfigurations.verdicts(api, cleared)).containsExactly("Cleared");
  }

  /** Two releases share the resource, and each has its own limits. */
  @Test
  void whatGuardsOfAnotherReleaseKnowIsKept() throws Exception {
    var theirs = declare("theirs");
    var ignored = replica("knownInvalid: {keep: 2s}\n");
    for (var sweep = 0; sweep < 2; sweep++) {
      var own = declare("nodeconfig");
      eventually(() -> assertThat(api.get(own).status()).isEqualTo(404));
    }

    api.delete(theirs).expect(200);
  }

  /** One that is expired; returns its path. */
  private String declare(String guard) throws Exception {
    var reply = api.post(KNOWN_INVALID, declared(guard)).expect(201);
    return KnownInvalidConfigurations.path(reply.body());
  }

  /** As a person declares it. */
  private JsonNode declared(String guard) {
    return json(
        """
        {apiVersion: 'shipshape.dev/v1alpha1', kind: 'KnownInvalidConfiguration',
         metadata: {name: '%1$s.%2$s'},
         spec: {guard: '%1$s', hash: 'v1:%2$s', verdict: 'Invalid'}}
        """
            .formatted(guard, digits(vni)));
  }

  /** Its object still says so, at each write. */
  @Test
  void whatIsOverTheLimitIsNotLearnedAgain() throws Exception {
    var replica = replica("knownInvalid: {entries: 1}\n");
    var older = names.name("worker");
    learn(older);
    learn(worker);
    eventually(() -> assertThat(KnownInvalidConfigurations.of(api, older)).isEmpty());
    var before = learned(replica);
    api.merge(NODE_CONFIGS + "/" + older, json("{metadata: {labels: {seen: 'yes'}}}")).expect(200);
    learn(names.name("worker"));

    assertThat(learned(replica)).isEqualTo(before + 1);
  }

  /** Makes a configuration known invalid in a second of its own. */
  private void learn(String node) throws Exception {
    var second = Instant.now().plusSeconds(1);
    eventually(() -> assertThat(Instant.now()).isAfter(second));
    fail(node, GuardedCluster.newVni());
    eventually(() -> assertThat(KnownInvalidConfigurations.of(api, node)).hasSize(1));
  }

  @Test
  @ResourceLock(Api.KNOWN_INVALID)
  void withoutTheDefinitionItWorksWithoutAMemoryAndSaysSoAndLearnsOnceItIsThere() throws Exception {
    var definition =
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
            + "knowninvalidconfigurations.shipshape.dev";
    api.delete(definition).expect(200);
    eventually(() -> assertThat(api.get(KNOWN_INVALID).status()).isEqualTo(404));
    try (var log = new CapturedLog()) {
      var replica = replica("");
      fail(worker, vni);

      eventually(() -> assertThat(replica.allows(config("other", vni))).isFalse());
      eventually(
          () ->
              assertThat(log.lines("knowninvalidconfigurations.shipshape.dev", "crds.enabled"))
                  .isNotEmpty());
      assertThat(replica.server().notReadyReason()).isEmpty();
    } finally {
      InstalledWebhook.defineKnownInvalid(api);
    }

    eventually(Duration.ofSeconds(30), () -> assertThat(verdicts()).containsExactly("Invalid"));
  }

  @Test
  void theApiServerRefusesOneThatIsNotWhatItSays() throws Exception {
    var ignored = replica("");
    fail(worker, vni);
    eventually(() -> assertThat(verdicts()).containsExactly("Invalid"));
    var path = KnownInvalidConfigurations.path(known(worker));

    for (var change :
        List.of(
            "{spec: {hash: 'v1:%s'}}".formatted(digits(vni + 1)),
            "{spec: {guard: 'other'}}",
            "{spec: {namespace: 'default'}}",
            "{spec: {hash: 'v1:short'}}",
            "{spec: {verdict: 'invalid'}}")) {
      assertThat(api.merge(path, json(change)).status()).as(change).isEqualTo(422);
    }
    var misnamed =
        (ObjectNode) json("{apiVersion: 'shipshape.dev/v1alpha1', metadata: {name: 'x'}}");
    misnamed.put("kind", "KnownInvalidConfiguration").set("spec", known(worker).path("spec"));
    assertThat(api.post(KNOWN_INVALID, misnamed).status()).isEqualTo(422);
  }

  private Replica replica(String settings) throws Exception {
    var replica = Replica.start(cluster, folder, user, settings(settings));
    replicas.add(replica);
    return replica;
  }

  private static String settings(String more) {
    return "guards: [{preset: nodeconfig}]\n" + more;
  }

  /** Makes a configuration fail on a new node; gives the uid of its object. */
  private String fail(String node, int number) throws Exception {
    var created = api.post(NODE_CONFIGS, config(node, number)).expect(201);
    written.add(node);
    api.report(node, "invalid");
    return created.body().at("/metadata/uid").asText();
  }

  private void remove(String node) throws Exception {
    api.delete(NODE_CONFIGS + "/" + node).expect(200);
  }

  private JsonNode known(String source) throws Exception {
    return KnownInvalidConfigurations.of(api, source).getFirst();
  }

  private List<String> verdicts() throws Exception {
    return KnownInvalidConfigurations.verdicts(api, worker);
  }

  private static double learned(Replica replica) throws Exception {
    return replica.metric(LEARNED);
  }

  private static String digits(int number) {
    return GuardReader.preset("nodeconfig")
        .getFirst()
        .identity()
        .hash(config("x", number))
        .toString()
        .substring("v1:".length());
  }
}
