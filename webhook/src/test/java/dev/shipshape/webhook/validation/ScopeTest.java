package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creationOfRevision;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How far revisions count, which are no node's: their names differ while their contents agree. */
class ScopeTest {
  private static final String INVALID =
      """
      {"apiVersion":"network.t-caas.telekom.com/v1alpha1","kind":"NetworkConfigRevision",
       "metadata":{"name":"9b2fe2f21c","managedFields":[
        {"manager":"operator","subresource":"status","time":"2026-11-21T10:00:00Z",
         "fieldsV1":{"f:status":{}}}]},
       "spec":{"revision":"9b2fe2f21c","layer2":[{"id":100}]},"status":{"isInvalid":true}}
      """;

  private final TestingGuards guards = new TestingGuards(GuardReader.preset("t-caas").getFirst());

  @ParameterizedTest
  @EnumSource(Scope.class)
  void aRevisionKnownInvalidIsRefusedUnderAnyName(Scope scope) {
    guards.holding(INVALID);

    assertThat(decide(scope)).matches(one -> one.reason().rejects());
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void soIsOneThatIsRemembered(Scope scope) {
    guards.remembering(INVALID);

    assertThat(decide(scope)).matches(one -> one.reason().rejects());
  }

  private Decision decide(Scope scope) {
    var other = "0c4e2a11ff";
    var written = creationOfRevision(other, INVALID.replace("9b2fe2f21c", other));
    var request = AdmissionReview.read(bytes(written));
    return guards.decider(scope).deny(request);
  }
}
