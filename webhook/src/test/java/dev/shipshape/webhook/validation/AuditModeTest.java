package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.HttpResponse;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * At {@code /audit} nothing is denied: what cannot be judged is an error, which Ignore lets pass.
 */
class AuditModeTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";
  private static final String REVIEW = creation(nodeConfig("worker-1", SPEC));

  private final TestingGuards guards =
      new TestingGuards().holding(record("worker-1", "-invalid", SPEC));
  private final ValidationHandler validate = guards.decider(Scope.CLUSTER);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void theGuardsOwnProbeIsAnsweredAlikeAndCountedApart() {
    var probe = Objects.requireNonNull(GuardReader.preset("nodeconfig").getFirst().probe());
    var review = bytes(creation(probe.object().toString()));

    assertThat(endpoint(Endpoint.AUDIT, validate::warn).respond(review).body())
        .contains("equals shipshape's own probe; would be refused if the guard were armed");
    assertThat(count("requests", "audit", "decision", "probe")).isEqualTo(1);
    assertThat(endpoint(Endpoint.VALIDATE, validate::deny).respond(review).body())
        .contains("\"code\":403", "equals shipshape's own probe");
    assertThat(count("requests", "validate", "decision", "probe")).isEqualTo(1);
    assertThat(count("refusals", "validate", "reason", "probe")).isEqualTo(1);
  }

  @Test
  void whatCannotBeJudgedIsAnErrorAndNoDenial() {
    var endpoint = endpoint(Endpoint.AUDIT, validate::warn);
    var trouble =
        endpoint(
            Endpoint.AUDIT,
            request -> {
              throw new IllegalStateException("a mistake of ours");
            });

    assertError(endpoint.respond(bytes(REVIEW.replace("\"CREATE\"", "7"))), 400);
    assertError(endpoint.respond(bytes(REVIEW.replace("\"v1alpha1\"", "\"v1beta1\""))), 400);
    assertError(endpoint.respond(bytes(creation("null"))), 400);
    assertError(trouble.respond(bytes(REVIEW)), 500);
  }

  @Test
  void atTheArmedEndpointsTheyAreDenied() {
    for (var armed : List.of(Endpoint.VALIDATE, Endpoint.VALIDATE_OVERRIDE)) {
      assertThat(endpoint(armed, validate::deny).respond(bytes(creation("null"))).body())
          .contains("\"allowed\":false");
    }
  }

  private static void assertError(HttpResponse answer, int status) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).doesNotContain("allowed");
  }

  private double count(String name, String entry, String tag, String value) {
    return registry
        .get("shipshape.webhook." + name)
        .tags("entry", entry, tag, value)
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  private AdmissionEndpoint endpoint(
      Endpoint endpoint, Function<AdmissionRequest, Decision> handler) {
    return new AdmissionEndpoint(endpoint, handler, new AdmissionMetrics(registry), List.of());
  }
}
