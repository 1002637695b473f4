package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.identity.Normalisation.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final int TRIES = 2000;
  private static final Identity IDENTITY = GuardReader.preset("nodeconfig").getFirst().identity();

  @Test
  void theDifferencesAreNoneIfAndOnlyIfTheHashesAreEqual() {
    for (var seed = 0; seed < TRIES; seed++) {
      var samples = new NodeConfigSamples(seed);
      var spec = samples.spec();
      var other = samples.respelled(spec);
      if (seed % 2 == 0) {
        samples.changeOne(other);
      }
      var left = holding(spec);
      var right = holding(other);

      var comparison = Comparison.of(IDENTITY, left, right);

      assertThat(comparison.differences().isEmpty())
          .as("seed %d: %s and %s: %s", seed, spec, other, comparison)
          .isEqualTo(IDENTITY.hash(left).equals(IDENTITY.hash(right)));
    }
  }

  @Test
  void whatIsHashedIsExplainedIfAndOnlyIfItIsNotWhatIsWritten() {
    for (var seed = 0; seed < TRIES; seed++) {
      var samples = new NodeConfigSamples(seed);
      var object = holding(seed % 2 == 0 ? samples.spec() : samples.respelled(samples.spec()));

      var explained = IDENTITY.explain(object);

      assertThat(explained.isEmpty())
          .as("seed %d: %s: %s", seed, object, explained)
          .isEqualTo(
              Arrays.equals(CanonicalJson.write(object.path("spec")), IDENTITY.canonical(object)));
    }
  }

  @Test
  void eachPlaceIsThatOfTheObjectAsItIsWritten() throws Exception {
    var object =
        (ObjectNode)
            new ObjectMapper()
                .readTree(
                    """
                    {"spec": {"layer2": [
                      {"id": 2, "anycastMac": "AA:00:00:00:00:01", "vrf": ""},
                      {"id": 1, "nodeSelector": {}}],
                     "vrf": [{"vrf": "a", "import": [{"cidr": "10.0.0.1/8"}]}]}}
                    """);

    assertThat(IDENTITY.explain(object))
        .containsExactlyInAnyOrder(
            new Normalisation(at("/spec/layer2/0/anycastMac"), Kind.SPELLING, "aa:00:00:00:00:01"),
            new Normalisation(at("/spec/layer2/0/vrf"), Kind.ABSENT, ""),
            new Normalisation(at("/spec/layer2/1/nodeSelector"), Kind.IGNORED, ""),
            new Normalisation(at("/spec/layer2"), Kind.ORDER, "[1, 0]"),
            new Normalisation(at("/spec/vrf/0/import/0/cidr"), Kind.SPELLING, "10.0.0.0/8"),
            new Normalisation(at("/spec/vrf/0/import/0/seq"), Kind.DEFAULT, "1"),
            new Normalisation(at("/spec/vrf/0/mtu"), Kind.DEFAULT, "9000"));
  }

  @Test
  void aSecretIsNamedAndNotTold() throws Exception {
    var identity =
        new Identity("spec", Set.of(), List.of(new Rule.Secret(FieldPath.parse("password"))));
    var object =
        (ObjectNode) new ObjectMapper().readTree("{\"spec\": {\"password\": \"hunter2\"}}");
    var other = (ObjectNode) new ObjectMapper().readTree("{\"spec\": {\"password\": \"other\"}}");

    assertThat(Comparison.of(identity, object, other).toString()).doesNotContain("hunter2");
    assertThat(identity.explain(object))
        .containsExactly(new Normalisation(at("/spec/password"), Kind.SECRET, ""));
  }

  private static JsonPointer at(String pointer) {
    return JsonPointer.compile(pointer);
  }

  private static ObjectNode holding(ObjectNode spec) {
    return JsonNodeFactory.instance.objectNode().set("spec", spec);
  }
}
