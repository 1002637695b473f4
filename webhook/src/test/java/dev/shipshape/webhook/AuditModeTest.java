package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.review.Answer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who only watches refuses nothing: what cannot be judged is an error, which Ignore lets pass. */
class AuditModeTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";
  private static final String REVIEW = creation(nodeConfig("worker-1", SPEC));

  private final Guards guards =
      new TestingGuards().holding(record("worker-1", "-invalid", SPEC)).guards();
  private final Decider decider =
      new Enforcement(
          new ValidationDecider(guards, Scope.CLUSTER),
          new Exemptions(Set.of(), Set.of()),
          Mode.AUDIT);

  @ParameterizedTest
  @EnumSource(names = {"VALIDATE", "VALIDATE_OVERRIDE"})
  void whatIsKnownInvalidPasses(Entry at) {
    assertThat(entry(at, decider).answer(bytes(REVIEW), () -> {}).body())
        .contains("\"allowed\":true");
  }

  @ParameterizedTest
  @EnumSource(Entry.class)
  void whatCannotBeJudgedIsAnErrorAndNoDenial(Entry at) {
    var entry = entry(at, decider);
    var trouble =
        entry(
            at,
            request -> {
              throw new IllegalStateException("a mistake of ours");
            });

    assertError(
        entry.answer(bytes(REVIEW.replace("\"CREATE\"", "7")), () -> {}), Refusal.BAD_REQUEST);
    assertError(trouble.answer(bytes(REVIEW), () -> {}), Refusal.INTERNAL_ERROR);
    for (var refusal :
        new Refusal[] {Refusal.TOO_LARGE, Refusal.TOO_SLOW, Refusal.UNSUPPORTED_TYPE}) {
      assertError(entry.refuse(bytes(REVIEW), refusal, "why"), refusal);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"VALIDATE", "VALIDATE_OVERRIDE"})
  void soIsWhatTheGuardDoesNotUnderstand(Entry at) {
    var entry = entry(at, decider);

    assertError(
        entry.answer(bytes(REVIEW.replace("\"v1alpha1\"", "\"v1beta1\"")), () -> {}),
        Refusal.OTHER_VERSION);
    assertError(entry.answer(bytes(creation("null")), () -> {}), Refusal.BAD_REQUEST);
  }

  @Test
  void whoEnforcesDeniesThem() {
    var enforcing =
        new AdmissionEntry(
            Entry.VALIDATE, Mode.ENFORCE, decider, new AdmissionMetrics(new SimpleMeterRegistry()));

    assertThat(enforcing.answer(bytes(creation("null")), () -> {}).body())
        .contains("\"allowed\":false");
  }

  private static void assertError(Answer answer, Refusal refusal) {
    assertThat(answer.status()).isEqualTo(refusal.code());
    assertThat(answer.body()).doesNotContain("allowed");
  }

  private static AdmissionEntry entry(Entry entry, Decider decider) {
    return new AdmissionEntry(
        entry, Mode.AUDIT, decider, new AdmissionMetrics(new SimpleMeterRegistry()));
  }
}
