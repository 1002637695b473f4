package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.Reviews;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import org.junit.jupiter.api.Test;

/** What holds a secret says more than its hash, so a match with it is no proof. */
class SecretPolicyTest {
  private static final String PLAIN = "{\"peers\":[{\"address\":\"10.0.0.1\"}]}";
  private static final String SECRET =
      "{\"peers\":[{\"address\":\"10.0.0.1\",\"password\":\"hunter2\"}]}";
  private static final String REPAIRED = SECRET.replace("hunter2", "correct");

  private final TestingGuards guards = new TestingGuards(guard());

  @Test
  void withoutAnySecretAMatchIsProof() {
    guards.holding(invalid("worker-1", PLAIN));

    assertThat(decide(PLAIN)).matches(one -> one.reason().rejects());
  }

  @Promise(
      value =
          "A configuration with a secret only gets a warning: a refusal would confirm a guessed"
              + " secret.",
      breaks = "Denying by the hash alone.")
  @Test
  void aWriteThatHoldsASecretIsOnlyWarnedOf() {
    guards.holding(invalid("worker-1", SECRET));

    for (var spec : new String[] {SECRET, REPAIRED}) {
      var allow = decide(spec);
      assertThat(allow.reason()).isEqualTo(Reason.EQUAL_BUT_FOR_SECRETS);
      assertThat(allow.reason().outcome()).isEqualTo(Reason.Outcome.WARNED);
      assertThat(allow.message()).contains("worker-1").hasSizeLessThan(120);
      assertThat(allow.audit()).containsEntry("decision", "equal-but-for-secrets");
      assertThat(allow.toString()).doesNotContain("hunter2", "correct");
    }
  }

  @Test
  void aWriteThatAddsTheSecretIsOnlyWarnedOf() {
    guards.holding(invalid("worker-1", PLAIN));
    assertThat(decide(SECRET).reason()).isEqualTo(Reason.EQUAL_BUT_FOR_SECRETS);
  }

  @Test
  void aWriteThatTakesAwayTheSecretIsOnlyWarnedOf() {
    guards.holding(invalid("worker-2", SECRET));
    assertThat(decide(PLAIN).reason()).isEqualTo(Reason.EQUAL_BUT_FOR_SECRETS);
  }

  @Test
  void oneThatHoldsNoSecretIsProofBesideOthersThatDo() {
    guards.holding(invalid("worker-1", SECRET), invalid("worker-2", PLAIN));

    assertThat(decide(PLAIN)).matches(one -> one.reason().rejects());
  }

  @Test
  void oneThatIsOnlySuspectedIsNoProofBesideOneThatHoldsASecret() {
    guards
        .holding(
            invalid("worker-1", SECRET)
                .replace("\"name\"", "\"creationTimestamp\":\"2026-11-26T10:00:00Z\",\"name\""))
        .suspecting(Reviews.record("worker-3", "-invalid", PLAIN));

    assertThat(decide(PLAIN).reason()).isEqualTo(Reason.EQUAL_BUT_FOR_SECRETS);
  }

  @Test
  void anotherConfigurationIsNotEvenWarnedOf() {
    guards.holding(invalid("worker-1", SECRET));

    assertThat(decide(SECRET.replace("10.0.0.1", "10.0.0.2")))
        .isEqualTo(Decision.of(Reason.NOT_KNOWN_INVALID));
  }

  private Decision decide(String spec) {
    var review = creation(Reviews.nodeConfig("worker-9", spec)).replace("worker-1", "worker-9");
    return guards.decider(Scope.CLUSTER).deny(AdmissionReview.read(bytes(review)));
  }

  private static String invalid(String name, String spec) {
    return Reviews.nodeConfig(name, spec).replace("\"spec\"", "\"status\":{\"bad\":true},\"spec\"");
  }

  private static Guard guard() {
    try {
      return SettingsReader.parse(
              "guard.yaml",
              """
              apiVersion: shipshape.dev/v1
              guards:
              - name: peers
                resource:
                  group: network.schiff.telekom.de
                  version: v1alpha1
                  plural: nodeconfigs
                  kind: NodeConfig
                records: {ownerApiVersion: v1, ownerKind: Node, invalidSuffix: -invalid, backupSuffix: -backup}
                invalidWhen: {field: status.bad, equals: "true"}
                identity: {content: spec, secret: ["peers[].password"]}
              """,
              GuardReader::read)
          .getFirst();
    } catch (BadSettings e) {
      throw new IllegalStateException(e);
    }
  }
}
