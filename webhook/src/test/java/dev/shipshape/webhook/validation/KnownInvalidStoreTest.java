package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Scope;
import org.junit.jupiter.api.Test;

/** Whoever passes although a configuration is known invalid passes too where it is remembered. */
class KnownInvalidStoreTest {
  private static final String BAD = "{\"layer2\":[{\"id\":1}]}";
  private static final String GOOD = "{\"layer2\":[{\"id\":2}]}";

  /** It failed on worker-1, and nothing is left of that. */
  private final TestingGuards guards =
      new TestingGuards()
          .remembering(
              nodeConfig("worker-1", BAD)
                  .replace("\"spec\"", "\"status\":{\"configStatus\":\"invalid\"},\"spec\""));

  @Test
  void itIsRefusedAndSaysWhatIsRemembered() {
    var deny = decide(creation(nodeConfig("worker-1", BAD)), Scope.CLUSTER);

    assertThat(deny.message())
        .contains("worker-1 (remembered)", " on worker-1", "helm shipshape forget v1:");
    assertThat(deny.audit()).containsEntry("equals", "worker-1 (remembered)");
  }

  @Test
  void inTheNodeScopeItIsRefusedOnItsNodeAlone() {
    assertThat(decide(creation(nodeConfig("worker-1", BAD)), Scope.NODE))
        .matches(one -> one.reason().rejects());
    assertThat(decide(creation(nodeConfig("worker-2", BAD)), Scope.NODE))
        .isEqualTo(Decision.of(Reason.NOT_KNOWN_INVALID));
    assertThat(decide(creation(nodeConfig("worker-2", BAD)), Scope.CLUSTER))
        .matches(one -> one.reason().rejects());
  }

  private ValidationHandler enforcement() {
    return guards.decider(Scope.CLUSTER);
  }

  private void assertGrounds(String review, Reason grounds) {
    assertThat(decide(review, Scope.CLUSTER).reason()).isEqualTo(grounds);
  }

  private Decision decide(String review, Scope scope) {
    return guards.decider(scope).deny(read(review));
  }

  private static AdmissionRequest request(String object) {
    return read(creation(object));
  }

  private static AdmissionRequest read(String review) {
    return AdmissionReview.read(bytes(review));
  }
}
