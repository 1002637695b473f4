package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.webhook.Json;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Scope;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnforcementTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";

  private final TestingGuards guards =
      new TestingGuards().holding(record("worker-1", "-invalid", SPEC));

  @Promise(
      value = "Every refusal is in the API server's audit log, with hash and reason.",
      breaks = "Denying without audit annotations.")
  @Test
  void aRefusalIsToldToTheAuditLog() {
    var deny = validate().deny(bad(""));

    assertThat(deny.audit())
        .containsEntry("decision", "denied")
        .containsEntry("equals", "worker-1-invalid")
        .containsEntry("config-hash", hash());
  }

  @Test
  void theAnnotationCountsAtTheOverrideEntryAloneAndForItsOwnConfigAlone() {
    var usual = validate();

    assertThat(usual.deny(bad(hash()))).matches(one -> one.reason().rejects());
    assertThat(usual.override(bad("v1:" + "0".repeat(64)))).matches(one -> one.reason().rejects());
    assertThat(usual.override(bad("true"))).matches(one -> one.reason().rejects());
    assertThat(usual.override(bad(""))).matches(one -> one.reason().rejects());
    var allow = usual.override(bad(hash()));
    assertThat(allow.reason()).isEqualTo(Reason.OVERRIDDEN);
    assertThat(allow.audit())
        .containsEntry("decision", "overridden")
        .containsEntry("config-hash", hash());
  }

  @Test
  void whoOverridesNeedNotWaitForTheIndex() {
    guards.notSynced();
    var usual = validate();

    assertThat(usual.deny(bad(""))).matches(one -> one.reason().rejects());
    assertThat(usual.warn(bad(""))).matches(one -> one.reason().rejects());
    var overridden = usual.override(bad(hash()));
    assertThat(overridden.audit())
        .isEqualTo(Map.of("decision", "overridden", "guard", "nodeconfig", "config-hash", hash()));
  }

  @Test
  void aNamedUsersDryRunIsWarnedAndItsWriteIsRefused() {
    var dryRun = bad("", "a-dry-runner", true);

    assertThat(validate().deny(dryRun).reason()).isEqualTo(Reason.WOULD_BE_REFUSED);
    assertThat(validate().deny(dryRun).message()).contains("worker-1-invalid", "dry run");
    assertThat(validate().deny(bad("", "a-dry-runner", false)))
        .matches(one -> one.reason().rejects());
    assertThat(validate().deny(bad("", "somebody", true))).matches(one -> one.reason().rejects());
  }

  private ValidationHandler validate() {
    return guards.decider(Scope.CLUSTER);
  }

  private String hash() {
    return guards.guard().identity().hash(Json.json(nodeConfig("x", SPEC))).toString();
  }

  private static AdmissionRequest bad(String annotation) {
    return bad(annotation, "somebody", false);
  }

  private static AdmissionRequest bad(String annotation, String user, boolean dryRun) {
    var object =
        nodeConfig("worker-1", SPEC)
            .replace(
                "\"name\"",
                "\"annotations\":{\"shipshape.dev/allow-known-invalid\":\"%s\"},\"name\""
                    .formatted(annotation));
    return AdmissionReview.read(
        bytes(
            creation(object)
                .replaceFirst("\"username\":\"[^\"]*\"", "\"username\":\"" + user + "\"")
                .replace("\"dryRun\":false", "\"dryRun\":" + dryRun)));
  }
}
