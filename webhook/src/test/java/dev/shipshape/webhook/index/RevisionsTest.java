package dev.shipshape.webhook.index;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalid;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans, and the namespaced objects of nodes that name their plan; both nodes are ready. */
class RevisionsTest {
  private static final Instant CREATED = Instant.parse("2026-11-28T10:00:00Z");

  private final Guard plans;
  private final Guard nodes;
  private final KnownInvalid known;
  private final Revisions revisions;
  private final ObjectFeed feed;
  private String uid = "first";
  private String stamp = "";
  private String reason = "";
  private int generation = 1;
  private int writes;

  RevisionsTest() throws BadSettings {
    var guards =
        WebhookSettings.parse(
                "webhook.yaml",
                """
                apiVersion: shipshape.dev/v1
                guards:
                - name: plans
                  resource: {group: example.com, version: v1, plural: plans, kind: Plan}
                  identity: {content: spec}
                  invalidWhen: {field: status.state, equals: invalid}
                  provisionedWhen: {field: status.state, equals: provisioned}
                  failure: {reason: status.reason}
                - name: nodes
                  stampOnly: true
                  resource: {group: example.com, version: v1, plural: nodes, kind: Node, namespaced: true}
                  identity: {content: spec}
                  invalidWhen: {field: status.state, equals: invalid}
                  provisionedWhen: {field: status.state, equals: provisioned}
                  revisions: {guard: plans, field: spec.plan}
                """)
            .guards();
    plans = guards.getFirst();
    nodes = guards.getLast();
    var ready = Optional.of(Instant.EPOCH);
    known = new KnownInvalid(guards, Scope.CLUSTER, Duration.ofDays(1));
    revisions =
        new Revisions(
            guards, name -> name.startsWith("worker-") ? ready : Optional.empty(), _ -> true);
    feed = new ObjectFeed(known, revisions, Clock.systemUTC());
  }

  @Test
  void theFailureOfANodesObjectThatNamesNoPlanConfirmsNone() {
    see(nodes, "", "net", "worker-1", "invalid");
    assertThat(see(plans, "", "", "plan", "invalid").status()).isEqualTo(ConfigStatus.SUSPECTED);
  }

  @Test
  void aPlanWorksOnceEveryNodeThatIsReadyHasIt() {
    see(nodes, "plan: a", "net", "worker-1", "provisioned");
    see(nodes, "plan: b", "net", "worker-2", "provisioned");
    see(nodes, "plan: b", "net", "away", "provisioned");
    assertThat(see(plans, "plan: a", "", "a", "provisioned").status())
        .isEqualTo(ConfigStatus.UNDECIDED);
    see(nodes, "plan: a", "net", "worker-2", "provisioned");
    assertThat(see(plans, "plan: a", "", "a", "provisioned").status())
        .isEqualTo(ConfigStatus.PROVISIONED);
  }

  /** That nobody reported a success of it does not change because its node is replaced. */
  @Test
  void whatFailedStaysKnownInvalidWhenTheObjectsOfItsNodesAreDeleted() {
    see(nodes, "plan: a", "net", "worker-1", "invalid");
    assertThat(see(plans, "plan: a", "", "a", "invalid").status()).isEqualTo(ConfigStatus.INVALID);
    see(nodes, "plan: a", "net", "worker-1", "invalid");

    feed.delete(nodes, "net/worker-1");

    assertThat(known.find(plans, "a")).extracting("status").isEqualTo(ConfigStatus.INVALID);
  }

  @Test
  void afterASuccessTheReportOfADeletedObjectNoLongerCounts() {
    see(nodes, "plan: a", "net", "worker-1", "invalid");
    see(plans, "plan: a", "", "a", "invalid");
    see(nodes, "plan: a", "net", "worker-2", "provisioned");
    feed.delete(nodes, "net/worker-1");
    assertThat(known.find(plans, "a")).extracting("status").isEqualTo(ConfigStatus.PROVISIONED);

    see(nodes, "plan: a", "net", "worker-3", "");
    assertThat(known.find(plans, "a")).extracting("status").isEqualTo(ConfigStatus.PROVISIONED);

    uid = "second";
    see(nodes, "plan: b", "net", "worker-1", "");
    see(nodes, "plan: b", "net", "worker-2", "");
    assertThat(known.find(plans, "a")).extracting("status").isEqualTo(ConfigStatus.PROVISIONED);
  }

  /** An operator without revisions gives nodes new values all the time. */
  @Test
  void ofWhatANodeHasLeftOnlyItsFailureIsHeld() {
    see(nodes, "plan: a", "net", "worker-1", "invalid");
    for (var change = 0; change < 100; change++) {
      see(nodes, "plan: b" + change, "net", "worker-1", "provisioned");
      see(nodes, "plan: b" + change, "net", "worker-2", "");
    }
    assertThat(revisions.countReports()).isEqualTo(3);
    assertThat(see(plans, "plan: a", "", "a", "invalid").status()).isEqualTo(ConfigStatus.INVALID);
  }

  /** Autoscalers give nodes new names all the time. */
  @Test
  void ofADeletedNodeOnlyItsFailureIsHeld() {
    see(nodes, "plan: a", "net", "worker-1", "invalid");
    feed.delete(nodes, "net/worker-1");
    for (var node = 2; node < 100; node++) {
      see(nodes, "plan: a", "net", "worker-" + node, "provisioned");
      feed.delete(nodes, "net/worker-" + node);
    }
    assertThat(revisions.countReports()).isEqualTo(1);
    assertThat(see(plans, "plan: a", "", "a", "invalid").status()).isEqualTo(ConfigStatus.INVALID);
  }

  @Test
  void aPlanThatFailsAgainWithOtherContentIsSuspectedAnew() {
    see(plans, "plan: a", "", "a", "invalid");
    generation = 2;
    writes--;
    assertThat(see(plans, "plan: b", "", "a", "invalid").isStatusCurrent()).isFalse();

    reason = "of the new content";
    assertThat(see(plans, "plan: b", "", "a", "invalid").status())
        .isEqualTo(ConfigStatus.SUSPECTED);
    see(nodes, "plan: b", "net", "worker-1", "invalid");
    assertThat(known.find(plans, "a")).extracting("status").isEqualTo(ConfigStatus.INVALID);
  }

  @ParameterizedTest
  @EnumSource(names = {"INVALID", "SUSPECTED"})
  void theStampOfAFailedPlanIsTheOneItHasNow(ConfigStatus verdict) {
    var state = verdict == ConfigStatus.INVALID ? "invalid" : "provisioned";
    see(nodes, "plan: a", "net", "worker-1", state);
    stamp = "v1:" + "0".repeat(64);
    var stale = see(plans, "plan: a", "", "a", "invalid");
    assertThat(stale.status()).isEqualTo(verdict);
    assertThat(known.countStaleHashes(plans)).isEqualTo(1);

    stamp = stale.hash().toString();
    assertThat(see(plans, "plan: a", "", "a", "invalid").status()).isEqualTo(verdict);
    assertThat(known.countStaleHashes(plans)).isZero();
  }

  /** While the watch was lost, nobody saw that it was deleted. */
  @Test
  void anObjectThatIsMadeAnewIsJudgedByItsOwnStatus() {
    var first = see(nodes, "plan: a", "net", "worker-1", "invalid");
    uid = "second";
    var second = see(nodes, "plan: a", "net", "worker-1", "invalid");

    assertThat(second.writtenAt()).isGreaterThan(first.writtenAt());
  }

  private IndexedObject see(Guard guard, String spec, String namespace, String name, String state) {
    return feed.update(
        guard,
        json(
            """
            {metadata: {namespace: '%s', name: '%s', uid: '%s', generation: %d,
              annotations: {'%s': '%s'}, managedFields: [
               {manager: 'm', operation: 'Update', time: '2026-11-28T10:00:00Z',
                fieldsV1: {'f:spec': {}}},
               {manager: 'm', operation: 'Update', time: '%s',
                fieldsV1: {'f:status': {'f:state': {}}}}]},
             spec: {%s}, status: {state: '%s', reason: '%s'}}
            """
                .formatted(
                    namespace,
                    name,
                    uid,
                    generation,
                    ConfigHash.ANNOTATION,
                    stamp,
                    CREATED.plusSeconds(++writes),
                    spec.replaceAll("(\\w+)$", "'$1'"),
                    state,
                    reason)));
  }
}
