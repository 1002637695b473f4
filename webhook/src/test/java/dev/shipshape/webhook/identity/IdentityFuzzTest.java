package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.FuzzedRandom;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Whatever is written in the place of a configuration, and in whichever of its spellings. */
class IdentityFuzzTest {
  private record Kind(String name, ObjectNode rules, Identity identity) {
    Kind(String name, ObjectNode rules) {
      this(name, rules, PresetGuards.identity(rules));
    }

    JsonNode sample() {
      return name.equals("own") ? object(HashingDifferentialTest.BODY) : GuardSamples.spec(name);
    }
  }

  private final List<Kind> kinds =
      Stream.concat(
              Stream.of(new Kind("own", own())),
              GuardSamples.GUARDS.stream().map(IdentityFuzzTest::preset))
          .toList();

  private static Kind preset(String name) {
    return new Kind(name, PresetGuards.rules(name));
  }

  /** Rules that agree: a default is the same as absent, and is spelled as it is compared. */
  private static ObjectNode own() {
    var rules = object(HashingDifferentialTest.OWN);
    var sameAsAbsent = rules.withObject("sameAsAbsent").put("wait", "0ns");
    sameAsAbsent.setAll((ObjectNode) rules.path("defaults"));
    return rules;
  }

  @FuzzTest
  void theSameWrittenOtherwiseHasTheSameHash(byte[] data) throws IOException {
    var random = new FuzzedRandom(data);
    var kind = kinds.get(random.nextInt(kinds.size()));
    var identity = kind.identity();
    var written = new EdgeSamples(random).like(kind.sample());
    var object = HashingVectors.read(content(identity, written));

    var canonical = canonical(identity, object);
    // Of text: in UTF-8, a name with half a surrogate pair is refused.
    var normalised = JsonLimits.MAPPER.readTree(canonical);
    assertThat(canonical(identity, content(identity, normalised))).isEqualTo(canonical);

    var other = content(identity, new Respelling(kind.rules(), random).of(normalised));
    assertThat(canonical(identity, HashingVectors.read(other)))
        .as("%s", other)
        .isEqualTo(canonical);
    assertThat(identity.hash(HashingVectors.read(other))).isEqualTo(identity.hash(object));

    if (normalised instanceof ObjectNode different) {
      different.put("another", 1);
      assertThat(identity.hash(content(identity, different))).isNotEqualTo(identity.hash(object));
    }
  }

  private static ObjectNode content(Identity identity, JsonNode value) {
    return JsonNodeFactory.instance.objectNode().set(identity.content(), value);
  }

  private static String canonical(Identity identity, JsonNode object) {
    return new String(identity.canonical(object), StandardCharsets.UTF_8);
  }
}
