package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.config.GuardReader;
import org.junit.jupiter.api.Test;

/** Many random configurations. The seed of a failing one is in the message. */
class IdentityPropertiesTest {
  private static final int TRIES = 2000;
  private static final Identity IDENTITY = GuardReader.preset("nodeconfig").getFirst().identity();

  @Test
  void aRespelledConfigurationIsTheSame() {
    for (var seed = 0; seed < TRIES; seed++) {
      var samples = new NodeConfigSamples(seed);
      var spec = samples.spec();

      var respelled = samples.respelled(spec);

      assertThat(hash(respelled))
          .as("seed %d: %s and %s", seed, spec, respelled)
          .isEqualTo(hash(spec));
    }
  }

  @Test
  void aConfigurationWithOneChangedFieldIsAnother() {
    for (var seed = 0; seed < TRIES; seed++) {
      var samples = new NodeConfigSamples(seed);
      var spec = samples.spec();
      var changed = spec.deepCopy();

      if (samples.changeOne(changed)) {
        assertThat(hash(changed))
            .as("seed %d: %s and %s", seed, spec, changed)
            .isNotEqualTo(hash(spec));
      }
    }
  }

  @Test
  void normalisingWhatIsNormalisedChangesNothing() throws Exception {
    for (var seed = 0; seed < TRIES; seed++) {
      var samples = new NodeConfigSamples(seed);
      var canonical = IDENTITY.canonical(holding(samples.respelled(samples.spec())));

      var again =
          IDENTITY.canonical(holding(new JsonMapper().readValue(canonical, ObjectNode.class)));

      assertThat(again).as("seed %d", seed).isEqualTo(canonical);
    }
  }

  private static ConfigHash hash(ObjectNode spec) {
    return IDENTITY.hash(holding(spec));
  }

  private static ObjectNode holding(ObjectNode spec) {
    return JsonNodeFactory.instance.objectNode().set("spec", spec);
  }
}
