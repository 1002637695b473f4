package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.HttpAnswer;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.mutation.HashAnnotator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever bytes come, the answer is one that the API server understands as it is meant. */
class DamagedReviewsTest {
  private static final int TRIES = 2_000;
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";

  private final TestingGuards guards =
      new TestingGuards().holding(record("worker-1", "-invalid", SPEC));
  private final AdmissionMetrics metrics = new AdmissionMetrics(new SimpleMeterRegistry());
  private final AdmissionEndpoint validate =
      new AdmissionEndpoint(
          Endpoint.VALIDATE, guards.decider(Scope.CLUSTER)::deny, metrics, List.of());
  private final AdmissionEndpoint mutate =
      new AdmissionEndpoint(
          Endpoint.MUTATE, new HashAnnotator(guards.guards()), metrics, List.of());

  @Test
  void everyAnswerIsWellFormed() {
    var random = new Random(17);
    var whole = Reviews.bytes(creation(nodeConfig("worker-1", SPEC)));
    for (var attempt = 0; attempt < TRIES; attempt++) {
      var damaged = damaged(whole, random);

      assertWellFormed(validate.answer(damaged));
      var mutated = mutate.answer(damaged);
      assertWellFormed(mutated);
      assertThat(mutated.body()).doesNotContain("\"allowed\":false");
    }
  }

  @Test
  void aReviewThatIsCutOffIsNeverAllowed() {
    var whole = Reviews.bytes(creation(nodeConfig("worker-1", "{}")).strip());
    assertThat(validate.answer(whole).body()).contains("\"allowed\":true");
    for (var length = 0; length < whole.length; length++) {
      var cut = Arrays.copyOf(whole, length);

      assertThat(validate.answer(cut).body()).doesNotContain("\"allowed\":true");
      assertThat(mutate.answer(cut).status()).isEqualTo(400);
    }
  }

  private static byte[] damaged(byte[] whole, Random random) {
    var damaged =
        Arrays.copyOf(whole, random.nextBoolean() ? whole.length : random.nextInt(whole.length));
    for (var count = random.nextInt(4); count > 0 && damaged.length > 0; count--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    }
    return damaged;
  }

  private static void assertWellFormed(HttpAnswer answer) {
    AnswerShape.assertWellFormed(answer.status(), answer.body());
  }
}
