package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.Decision.TryLater;
import dev.shipshape.webhook.review.AdmissionRequest;
import dev.shipshape.webhook.review.Reading;
import dev.shipshape.webhook.review.ReviewReader;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EnforcementTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";
  private static final Exemptions NOBODY = new Exemptions(Set.of(), Set.of());

  private final TestingGuards guards =
      new TestingGuards().holding(record("worker-1", "-invalid", SPEC));

  @Test
  void auditModeWarnsInsteadOfRefusing() {
    var allow = (Allow) validate(Mode.AUDIT, NOBODY).decide(bad(""));

    assertThat(allow.grounds()).isEqualTo(Grounds.WOULD_BE_REFUSED);
    assertThat(allow.warning()).contains("worker-1-invalid").hasSizeLessThan(120);
    assertThat(allow.audit()).containsEntry("decision", "would-be-refused");
  }

  @Test
  void aRefusalIsToldToTheAuditLog() {
    var deny = (Deny) validate(Mode.ENFORCE, NOBODY).decide(bad(""));

    assertThat(deny.audit())
        .containsEntry("decision", "denied")
        .containsEntry("equals", "worker-1-invalid")
        .containsEntry("config-hash", hash());
  }

  @Test
  void exemptUsersAndGroupsAreNotRefused() {
    for (var exemptions :
        Set.of(
            new Exemptions(Set.of("jane"), Set.of()),
            new Exemptions(Set.of(), Set.of("system:authenticated")))) {
      var allow = (Allow) validate(Mode.ENFORCE, exemptions).decide(bad(""));

      assertThat(allow.grounds()).isEqualTo(Grounds.EXEMPT_WRITER);
      assertThat(allow.audit()).containsEntry("equals", "worker-1-invalid");
    }
    assertThat(validate(Mode.ENFORCE, new Exemptions(Set.of("joe"), Set.of())).decide(bad("")))
        .isInstanceOf(Deny.class);
  }

  @Test
  void theAnnotationCountsAtTheOverrideEntryAloneAndForItsOwnConfigAlone() {
    var usual = validate(Mode.ENFORCE, NOBODY);
    var override = new BreakGlass(usual, guards.guards());

    assertThat(usual.decide(bad(hash()))).isInstanceOf(Deny.class);
    assertThat(override.decide(bad("v1:" + "0".repeat(64)))).isInstanceOf(Deny.class);
    assertThat(override.decide(bad("true"))).isInstanceOf(Deny.class);
    assertThat(override.decide(bad(""))).isInstanceOf(Deny.class);
    var allow = (Allow) override.decide(bad(hash()));
    assertThat(allow.grounds()).isEqualTo(Grounds.OVERRIDDEN);
    assertThat(allow.audit())
        .containsEntry("decision", "overridden")
        .containsEntry("config-hash", hash());
  }

  @Test
  void whoIsExemptOrOverridesNeedNotWaitForTheIndex() {
    guards.notSynced();
    var usual = validate(Mode.ENFORCE, NOBODY);

    assertThat(usual.decide(bad(""))).isInstanceOf(TryLater.class);
    assertThat(validate(Mode.AUDIT, NOBODY).decide(bad(""))).isInstanceOf(TryLater.class);
    var exempt = validate(Mode.ENFORCE, new Exemptions(Set.of("jane"), Set.of())).decide(bad(""));
    var overridden = new BreakGlass(usual, guards.guards()).decide(bad(hash()));
    assertThat(((Allow) exempt).audit())
        .isEqualTo(Map.of("decision", "exempt-writer", "config-hash", hash(), "index-age", "312s"));
    assertThat(((Allow) overridden).audit())
        .isEqualTo(Map.of("decision", "overridden", "config-hash", hash(), "index-age", "312s"));
  }

  private Decider validate(Mode mode, Exemptions exemptions) {
    return new Enforcement(new ValidationDecider(guards.guards(), Scope.CLUSTER), exemptions, mode);
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
    return ((Reading.Understood) ReviewReader.read(bytes(creation(object)))).request();
  }
}
