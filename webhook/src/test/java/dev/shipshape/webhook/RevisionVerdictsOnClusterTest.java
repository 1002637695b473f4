package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.KnownInvalidConfigurations.verdicts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator says of a revision counts as far as its nodes bear it out. */
@ExtendWith(ControlPlaneExtension.class)
class RevisionVerdictsOnClusterTest {
  private final ControlPlane cluster;
  private final Path folder;
  private final Api api;
  private final String user;
  private final String worker;
  private final String first;
  private final String second;
  private final int vni = GuardedCluster.newVni();
  private RevisionEra era = RevisionEra.SCHIFF;
  private Replica replica;

  @SuppressWarnings("NullAway.Init")
  RevisionVerdictsOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.cluster = cluster;
    this.folder = folder;
    this.api = Api.asAdministrator(cluster);
    this.user = names.name("webhook");
    this.worker = names.name("worker");
    this.first = names.name("r1");
    this.second = names.name("r2");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
  }

  @AfterEach
  void clean() throws Exception {
    replica.close();
    for (var plural : new String[] {"nodenetworkconfigs", "networkconfigrevisions"}) {
      for (var item : api.get(era.path(plural, "")).body().path("items")) {
        api.delete(era.path(plural, item.at("/metadata/name").asText())).expect(200);
      }
    }
    api.delete("/api/v1/nodes/" + worker);
    api.close();
  }

  @Promise(
      value = "A revision that is only suspected is not refused.",
      breaks = "Treating the status of a revision as that of its nodes.")
  @ParameterizedTest
  @EnumSource
  void aGoodOneThatIsBlamedForItsPredecessorIsSuspectedUntilItsNodesSayThatItWorks(RevisionEra of)
      throws Exception {
    try (var log = new CapturedLog()) {
      failFirst(of);

      goodSecondIsBlamed();

      eventually(() -> assertThat(verdicts(api, second)).containsExactly("Suspected"));
      assertThat(replica.allows(copyOfSecond())).isTrue();
      assertThat(replica.warnings(copyOfSecond(), era.revision("other", vni + 5)))
          .contains("equals " + second, "suspected");
      eventually(
          () ->
              assertThat(log.lines("wrote", ": Suspected, ", second, "no object of a node"))
                  .isNotEmpty());
      assertThat(log.lines("wrote", ": Invalid, ", second)).isEmpty();

      // The agent begins with it only now: that is not why it was blamed.
      report("provisioning", first);
      api.post(era.path("networkconfigrevisions", ""), era.revision(second + "-x", vni + 4))
          .expect(201);
      verdict(second + "-x", "isInvalid: true, ready: 0, ongoing: 0, queued: 0, total: 1");
      eventually(() -> assertThat(verdicts(api, second + "-x")).containsExactly("Suspected"));
      api.delete(era.path("networkconfigrevisions", second + "-x")).expect(200);

      report("provisioned", second);

      eventually(() -> assertThat(verdicts(api, second)).containsExactly("Cleared"));
      assertThat(replica.warnings(copyOfSecond(), era.revision("other", vni + 5)))
          .doesNotContain("suspected");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSuspectedOneIsRefusedOnceANodeSaysThatItFailed(RevisionEra of) throws Exception {
    failFirst(of);
    goodSecondIsBlamed();
    eventually(() -> assertThat(verdicts(api, second)).containsExactly("Suspected"));

    eventually(
        () -> {
          report("provisioning", first);
          report("invalid", second);
          assertThat(replica.allows(copyOfSecond())).isFalse();
        });

    eventually(() -> assertThat(verdicts(api, second)).containsExactly("Invalid"));
    assertThat(replica.refusal(copyOfSecond())).contains(second, "on " + worker);
  }

  @Test
  void whatIsStillProvisioningOnANodeThatIsReadyIsRefusedAfterItsNodesWentBackAndARestartToo()
      throws Exception {
    startOnNode(RevisionEra.SCHIFF, "True", "provisioning", "");
    try (var log = new CapturedLog()) {
      verdict(first, "isInvalid: true, ready: 0, ongoing: 1, queued: 0, total: 1");

      eventually(() -> assertThat(replica.allows(copyOf(first, vni))).isFalse());
      eventually(() -> assertThat(log.lines("known invalid: wrote", " on " + worker)).isNotEmpty());
      assertThat(log.lines("known invalid: wrote"))
          .noneMatch(line -> line.contains("[]") || line.contains(" on :"));
    }
    api.merge(era.path("nodenetworkconfigs", worker), json("{spec: {revision: 'r0'}}")).expect(200);
    eventually(() -> assertThat(verdicts(api, first)).containsExactly("Invalid"));
    replica.close();
    start(RevisionEra.SCHIFF);
    assertThat(replica.allows(copyOf(first, vni))).isFalse();
  }

  @Test
  void whatIsProvisioningOnANodeThatIsNotReadyIsOnlySuspected() throws Exception {
    startOnNode(RevisionEra.SCHIFF, "False", "provisioning", "");
    verdict(first, "isInvalid: true, ready: 0, ongoing: 1, queued: 0, total: 1");

    eventually(() -> assertThat(verdicts(api, first)).containsExactly("Suspected"));
    assertThat(replica.allows(copyOf(first, vni))).isTrue();
  }

  @Test
  void whatAllNodesReportedBeforeTheVerdictClearsNothing() throws Exception {
    startOnNode(RevisionEra.SCHIFF, "True", "provisioned", first);
    aSecondLater();
    verdict(first, "isInvalid: true, ready: 1, ongoing: 0, queued: 0, total: 1");

    eventually(() -> assertThat(verdicts(api, first)).containsExactly("Suspected"));
  }

  @Test
  void whatAPersonHadForgottenStaysSoWhenOnlyACounterIsWritten() throws Exception {
    failFirst(RevisionEra.SCHIFF);
    eventually(() -> assertThat(verdicts(api, first)).containsExactly("Invalid"));
    var forgotten = forgetFirst();
    assertThat(replica.allows(copyOf(first, vni))).isTrue();
    assertThat(replica.metric("shipshape_webhook_index_known_invalid")).isZero();

    eventually(() -> assertThat(Instant.now()).isAfter(forgotten.plusSeconds(1)));
    verdict(first, "total: 7");

    // What comes by the same watch later is known: so this is, too.
    api.post(era.path("networkconfigrevisions", ""), era.revision(second, vni + 2)).expect(201);
    verdict(second, "isInvalid: true, ready: 0, ongoing: 0, queued: 0, total: 1");
    eventually(() -> assertThat(verdicts(api, second)).containsExactly("Suspected"));
    assertThat(replica.allows(copyOf(first, vni))).isTrue();
    replica.close();
    start(RevisionEra.SCHIFF);
    assertThat(replica.allows(copyOf(first, vni))).as("after a restart").isTrue();
  }

  @Test
  void theWriterAndTheTimeAreThoseOfTheFieldThatSaysInvalid() throws Exception {
    failFirst(RevisionEra.SCHIFF);
    var before = replica.refusal(copyOf(first, vni));
    aSecondLater();
    api.merge(
            era.path("networkconfigrevisions", first) + "/status?fieldManager=counter",
            json("{status: {total: 9}}"))
        .expect(200);

    replica.close();
    start(RevisionEra.SCHIFF);

    assertThat(replica.refusal(copyOf(first, vni)))
        .contains("(operator: ")
        .doesNotContain("counter")
        .isEqualTo(before);
  }

  /** The node has the first revision and reports this. */
  private void startOnNode(RevisionEra of, String ready, String status, String about)
      throws Exception {
    start(of);
    node(ready);
    api.post(era.path("networkconfigrevisions", ""), era.revision(first, vni)).expect(201);
    api.post(era.path("nodenetworkconfigs", ""), era.node(worker, first)).expect(201);
    report(status, about);
  }

  /** A revision that failed on the node, as the node says and the operator knows. */
  private void failFirst(RevisionEra of) throws Exception {
    startOnNode(of, "True", "invalid", first);
    verdict(first, "isInvalid: true, ready: 0, ongoing: 0, queued: 0, total: 1");
    eventually(() -> assertThat(replica.allows(copyOf(first, vni))).isFalse());
  }

  /** The node has the next one, and has not reported yet when the operator sums up. */
  private void goodSecondIsBlamed() throws Exception {
    api.post(era.path("networkconfigrevisions", ""), era.revision(second, vni + 2)).expect(201);
    var spec = "{spec: {revision: '%s'}}".formatted(second);
    api.merge(era.path("nodenetworkconfigs", worker), json(spec)).expect(200);
    verdict(second, "isInvalid: true, ready: 0, ongoing: 0, queued: 0, total: 1");
  }

  private void report(String status, String about) throws Exception {
    var applied = about.isEmpty() ? "" : ", lastAppliedRevision: '%s'".formatted(about);
    var body =
        "{status: {configStatus: '%s', lastUpdate: '%s'%s}}"
            .formatted(status, Instant.now(), applied);
    api.merge(era.path("nodenetworkconfigs", worker) + "/status?fieldManager=agent", json(body))
        .expect(200);
  }

  private void verdict(String revision, String status) throws Exception {
    api.merge(
            era.path("networkconfigrevisions", revision) + "/status?fieldManager=operator",
            json("{status: {%s}}".formatted(status)))
        .expect(200);
  }

  /** The API server tells times in whole seconds. */
  private static void aSecondLater() throws Exception {
    var next = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(2);
    eventually(() -> assertThat(Instant.now()).isAfter(next));
  }

  private void node(String ready) throws Exception {
    api.node(worker);
    var status =
        "{status: {conditions: [{type: 'Ready', status: '%s', reason: 'x', message: 'x', lastHeartbeatTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}"
            .formatted(ready);
    api.merge("/api/v1/nodes/" + worker + "/status", json(status)).expect(200);
  }

  private Instant forgetFirst() throws Exception {
    KnownInvalidConfigurations.clear(api, first);
    eventually(() -> assertThat(replica.allows(copyOf(first, vni))).isTrue());
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  private ObjectNode copyOfSecond() {
    return copyOf(second, vni + 2);
  }

  /** The same configuration, offered under another name. */
  private ObjectNode copyOf(String revision, int number) {
    return era.revision(revision + "-again", number);
  }

  private void start(RevisionEra of) throws Exception {
    era = of;
    for (var plural : new String[] {"networkconfigrevisions", "nodenetworkconfigs"}) {
      var kind = plural.startsWith("net") ? "NetworkConfigRevision" : "NodeNetworkConfig";
      ReferenceDefinitions.define(api, era.folder, era.group, plural, kind);
    }
    replica =
        Replica.start(cluster, folder, user, "guards: [{preset: %s}]\n".formatted(era.preset));
  }
}
