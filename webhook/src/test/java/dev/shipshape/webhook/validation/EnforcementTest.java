package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.Json;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionHandler;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionResponse.Allowed;
import dev.shipshape.webhook.admission.AdmissionResponse.Rejected;
import dev.shipshape.webhook.admission.Decoded;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.admission.ReviewDecoder;
import dev.shipshape.webhook.config.Scope;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnforcementTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";

  private final TestingGuards guards =
      new TestingGuards().holding(record("worker-1", "-invalid", SPEC));

  @Test
  void aRefusalIsToldToTheAuditLog() {
    var deny = (Rejected) validate().handle(bad(""));

    assertThat(deny.auditAnnotations())
        .containsEntry("decision", "denied")
        .containsEntry("equals", "worker-1-invalid")
        .containsEntry("config-hash", hash());
  }

  @Test
  void theAnnotationCountsAtTheOverrideEntryAloneAndForItsOwnConfigAlone() {
    var usual = validate();
    var override = new OverridePolicy(usual, guards.guards());

    assertThat(usual.handle(bad(hash()))).isInstanceOf(Rejected.class);
    assertThat(override.handle(bad("v1:" + "0".repeat(64)))).isInstanceOf(Rejected.class);
    assertThat(override.handle(bad("true"))).isInstanceOf(Rejected.class);
    assertThat(override.handle(bad(""))).isInstanceOf(Rejected.class);
    var allow = (Allowed) override.handle(bad(hash()));
    assertThat(allow.reason()).isEqualTo(Reason.OVERRIDDEN);
    assertThat(allow.auditAnnotations())
        .containsEntry("decision", "overridden")
        .containsEntry("config-hash", hash());
  }

  @Test
  void whoOverridesNeedNotWaitForTheIndex() {
    guards.notSynced();
    var usual = validate();

    assertThat(usual.handle(bad(""))).isInstanceOf(Rejected.class);
    assertThat(new AuditHandler(usual).handle(bad(""))).isInstanceOf(Rejected.class);
    var overridden = new OverridePolicy(usual, guards.guards()).handle(bad(hash()));
    assertThat(((Allowed) overridden).auditAnnotations())
        .isEqualTo(Map.of("decision", "overridden", "config-hash", hash(), "index-age", "312s"));
  }

  private AdmissionHandler validate() {
    return guards.decider(Scope.CLUSTER);
  }

  private String hash() {
    return guards.guard().identity().hash(Json.json(nodeConfig("x", SPEC))).toString();
  }

  private static AdmissionRequest bad(String annotation) {
    var object =
        nodeConfig("worker-1", SPEC)
            .replace(
                "\"name\"",
                "\"annotations\":{\"shipshape.dev/allow-known-invalid\":\"%s\"},\"name\""
                    .formatted(annotation));
    return ((Decoded.Request) ReviewDecoder.decode(bytes(creation(object)))).request();
  }
}
