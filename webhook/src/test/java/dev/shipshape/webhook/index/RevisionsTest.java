package dev.shipshape.webhook.index;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalid;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plans, and the namespaced objects of nodes that name their plan; both nodes are ready. */
class RevisionsTest {
  private final Guard plans;
  private final Guard nodes;
  private final ObjectFeed feed;
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
    feed =
        new ObjectFeed(
            new KnownInvalid(guards, Scope.CLUSTER, Duration.ofDays(1)),
            new Revisions(
                guards, name -> name.startsWith("worker-") ? ready : Optional.empty(), _ -> true),
            Clock.systemUTC());
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

  private IndexedObject see(Guard guard, String spec, String namespace, String name, String state) {
    return feed.update(
        guard,
        json(
            """
            {metadata: {namespace: '%s', name: '%s', managedFields: [
               {manager: 'm', operation: 'Update', time: '2026-11-28T10:00:00Z',
                fieldsV1: {'f:spec': {}}},
               {manager: 'm', operation: 'Update', time: '2026-11-28T10:00:1%dZ',
                fieldsV1: {'f:status': {'f:state': {}}}}]},
             spec: {%s}, status: {state: '%s'}}
            """
                .formatted(namespace, name, ++writes, spec.replaceAll("(\\w+)$", "'$1'"), state)));
  }
}
