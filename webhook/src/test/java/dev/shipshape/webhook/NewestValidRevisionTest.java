package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Reviews.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.index.Projection;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.index.WorkedLedger;
import dev.shipshape.webhook.review.Reading;
import dev.shipshape.webhook.review.ReviewReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node's object made from the newest valid revision, with content that failed there before. */
class NewestValidRevisionTest {
  private static final String REVISION =
      """
      {"metadata":{"name":"r1","uid":"u1","creationTimestamp":"2026-11-21T10:00:00Z"},
       "spec":{"revision":"r1"},"status":{"isInvalid":false}}
      """;
  private static final String FAILED =
      """
      {"metadata":{"name":"worker-1"},"spec":{"revision":"r0","layer2s":{"a":{"vni":1}}},
       "status":{"configStatus":"invalid","lastAppliedRevision":"r0"}}
      """;
  private static final String WRITTEN =
      """
      {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u",
       "resource":{"group":"network.t-caas.telekom.com","version":"v1alpha1",
                   "resource":"nodenetworkconfigs"},
       "name":"worker-1","operation":"CREATE","userInfo":{"username":"jane"},
       "object":{"metadata":{"name":"worker-1","ownerReferences":[{"name":"r1","uid":"u1"}]},
                 "spec":{"revision":"r1","layer2s":{"a":{"vni":1}}}}}}
      """;

  private TestingGuards revisions;
  private ValidationDecider decider;

  @BeforeEach
  void know() throws Exception {
    var guards =
        WebhookSettings.parse(
                "webhook.yaml",
                """
                apiVersion: shipshape.dev/v1
                memory: {enabled: true}
                guards: [{preset: t-caas, guardNodes: true}]
                """)
            .guards();
    revisions = new TestingGuards(guards.getFirst());
    var nodes = new TestingGuards(guards.getLast()).remembering(FAILED);
    var ledger = new Revisions(guards, node -> Optional.empty());
    ledger.judge(
        revisions.guard(), json(REVISION), Projection.of(revisions.guard(), json(REVISION)));
    var both = new Guards(List.of(revisions, nodes));
    decider =
        new ValidationDecider(
            both,
            new KnownInvalid(Scope.CLUSTER, nodes.memory()),
            new Restorations(both, ledger, new WorkedLedger(List.of()), Map.of()),
            "shipshape-override");
  }

  @Test
  void passes() {
    assertThat(decide()).isInstanceOf(Allow.class);
    assertThat(((Allow) decide()).grounds()).isEqualTo(Grounds.NEWEST_VALID_REVISION);
  }

  @Test
  void isRefusedWhileItIsNotKnownWhichRevisionThatIs() {
    revisions.notSynced();

    assertThat(decide()).isInstanceOf(Deny.class);
  }

  private Decision decide() {
    return decider.decide(((Reading.Understood) ReviewReader.read(bytes(WRITTEN))).request());
  }
}
