package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.Decision.Allow;
import dev.shipshape.webhook.Decision.Deny;
import dev.shipshape.webhook.Decision.Grounds;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.GuardReader;
import dev.shipshape.webhook.review.Reading;
import dev.shipshape.webhook.review.ReviewReader;
import org.junit.jupiter.api.Test;

/** What holds a secret says more than its hash, so a match with it is no proof. */
class SecretDoubtTest {
  private static final String PLAIN = "{\"peers\":[{\"address\":\"10.0.0.1\"}]}";
  private static final String SECRET =
      "{\"peers\":[{\"address\":\"10.0.0.1\",\"password\":\"hunter2\"}]}";
  private static final String REPAIRED = SECRET.replace("hunter2", "correct");

  private final TestingGuards guards = new TestingGuards(guard());

  @Test
  void withoutAnySecretAMatchIsProof() {
    guards.holding(invalid("worker-1", PLAIN));

    assertThat(decide(PLAIN)).isInstanceOf(Deny.class);
  }

  @Test
  void aWriteThatHoldsASecretIsOnlyWarnedOf() {
    guards.holding(invalid("worker-1", SECRET));

    for (var spec : new String[] {SECRET, REPAIRED}) {
      var allow = (Allow) decide(spec);
      assertThat(allow.grounds()).isEqualTo(Grounds.EQUAL_BUT_FOR_SECRETS);
      assertThat(allow.grounds().outcome()).isEqualTo(Outcome.WARNED);
      assertThat(allow.warning()).contains("worker-1").hasSizeLessThan(120);
      assertThat(allow.audit()).containsEntry("decision", "equal-but-for-secrets");
      assertThat(allow.toString()).doesNotContain("hunter2", "correct");
    }
  }

  @Test
  void aWriteThatAddsOrTakesAwayTheSecretIsOnlyWarnedOf() {
    guards.holding(invalid("worker-1", PLAIN));
    assertThat(((Allow) decide(SECRET)).grounds()).isEqualTo(Grounds.EQUAL_BUT_FOR_SECRETS);
    guards.index().remove("worker-1");
    guards.holding(invalid("worker-2", SECRET));
    assertThat(((Allow) decide(PLAIN)).grounds()).isEqualTo(Grounds.EQUAL_BUT_FOR_SECRETS);
  }

  @Test
  void oneThatHoldsNoSecretIsProofBesideOthersThatDo() {
    guards.holding(invalid("worker-1", SECRET), invalid("worker-2", PLAIN));

    assertThat(decide(PLAIN)).isInstanceOf(Deny.class);
  }

  @Test
  void anotherConfigurationIsNotEvenWarnedOf() {
    guards.holding(invalid("worker-1", SECRET));

    assertThat(decide(SECRET.replace("10.0.0.1", "10.0.0.2")))
        .isEqualTo(new Allow(Grounds.NOT_KNOWN_INVALID));
  }

  private Decision decide(String spec) {
    var review = creation(Reviews.nodeConfig("worker-9", spec)).replace("worker-1", "worker-9");
    var request = ((Reading.Understood) ReviewReader.read(bytes(review))).request();
    return new ValidationDecider(guards.guards(), Scope.CLUSTER).decide(request);
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
