package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static dev.shipshape.webhook.Reviews.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.review.AdmissionRequest;
import dev.shipshape.webhook.review.Reading;
import dev.shipshape.webhook.review.ReviewReader;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whoever passes although a configuration is known invalid passes too where it is remembered. */
class MemoryPrecedenceTest {
  private static final String BAD = "{\"layer2\":[{\"id\":1}]}";
  private static final String GOOD = "{\"layer2\":[{\"id\":2}]}";
  private static final Exemptions NOBODY = new Exemptions(Set.of(), Set.of());

  /** It failed on worker-1, and nothing is left of that. */
  private final TestingGuards guards =
      new TestingGuards()
          .remembering(
              nodeConfig("worker-1", BAD)
                  .replace("\"spec\"", "\"status\":{\"configStatus\":\"invalid\"},\"spec\""));

  @Test
  void itIsRefusedAndSaysWhatIsRemembered() {
    var deny = (Deny) decide(creation(nodeConfig("worker-1", BAD)), Scope.CLUSTER);

    assertThat(deny.message())
        .contains(
            "worker-1 (remembered)", "failed with it on worker-1", "helm shipshape forget v1:");
    assertThat(deny.audit()).containsEntry("equals", "worker-1 (remembered)");
  }

  @Test
  void auditModeWarns() {
    var allow =
        (Allow) enforcement(Mode.AUDIT, NOBODY).decide(request(nodeConfig("worker-1", BAD)));

    assertThat(allow.grounds()).isEqualTo(Grounds.WOULD_BE_REFUSED);
    assertThat(allow.warning()).contains("remembered").hasSizeLessThan(120);
  }

  @Test
  void exemptUsersPass() {
    var jane = new Exemptions(Set.of("jane"), Set.of());

    var allow = (Allow) enforcement(Mode.ENFORCE, jane).decide(request(nodeConfig("w", BAD)));

    assertThat(allow.grounds()).isEqualTo(Grounds.EXEMPT_WRITER);
  }

  @Test
  void breakGlassPasses() {
    var hash = guards.guard().identity().hash(json(nodeConfig("x", BAD)));
    var annotated =
        nodeConfig("worker-1", BAD)
            .replace(
                "\"name\"",
                "\"annotations\":{\"shipshape.dev/allow-known-invalid\":\"%s\"},\"name\""
                    .formatted(hash));
    var usual = enforcement(Mode.ENFORCE, NOBODY);

    var allow = (Allow) new BreakGlass(usual, guards.guards()).decide(request(annotated));

    assertThat(allow.grounds()).isEqualTo(Grounds.OVERRIDDEN);
    assertThat(usual.decide(request(annotated))).isInstanceOf(Deny.class);
  }

  @Test
  void theRecordsThemselvesPass() {
    assertGrounds(creation(record("worker-1", "-invalid", BAD)), Grounds.RECORD);
    assertGrounds(creation(record("worker-1", "-backup", BAD)), Grounds.RECORD);
  }

  @Test
  void whatStaysAsItIsPassesAndWhatIsOnItsWayOut() {
    assertGrounds(
        update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", BAD)), Grounds.UNCHANGED);
    assertThat(
            decide(
                update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", GOOD)), Scope.CLUSTER))
        .isInstanceOf(Deny.class);
    assertGrounds(
        creation(
            nodeConfig("worker-1", BAD)
                .replace("\"name\":", "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"name\":")),
        Grounds.BEING_DELETED);
  }

  @Test
  void theNodesBackupPasses() {
    guards.holding(record("worker-1", "-backup", BAD));

    assertGrounds(
        update(nodeConfig("worker-1", BAD), nodeConfig("worker-1", GOOD)), Grounds.RESTORES_BACKUP);
  }

  @Test
  void inTheNodeScopeItIsRefusedOnItsNodeAlone() {
    assertThat(decide(creation(nodeConfig("worker-1", BAD)), Scope.NODE)).isInstanceOf(Deny.class);
    assertThat(decide(creation(nodeConfig("worker-2", BAD)), Scope.NODE))
        .isEqualTo(new Allow(Grounds.NOT_KNOWN_INVALID));
    assertThat(decide(creation(nodeConfig("worker-2", BAD)), Scope.CLUSTER))
        .isInstanceOf(Deny.class);
  }

  private Decider enforcement(Mode mode, Exemptions exemptions) {
    return new Enforcement(guards.decider(Scope.CLUSTER), exemptions, mode);
  }

  private void assertGrounds(String review, Grounds grounds) {
    assertThat(((Allow) decide(review, Scope.CLUSTER)).grounds()).isEqualTo(grounds);
  }

  private Decision decide(String review, Scope scope) {
    return guards.decider(scope).decide(read(review));
  }

  private static AdmissionRequest request(String object) {
    return read(creation(object));
  }

  private static AdmissionRequest read(String review) {
    return ((Reading.Understood) ReviewReader.read(bytes(review))).request();
  }
}
