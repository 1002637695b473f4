package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The vectors in docs, by which other languages check themselves: they are what this code computes,
 * and the page of Python beside them agrees.
 */
class HashingVectorsTest {
  private static final Path VECTORS = HashingVectors.DOCS.resolve("hashing-vectors.json");

  /** With {@code -Dvectors=write} the file is written instead of checked. */
  @Test
  void theVectorsInDocsAreWhatIsComputed() throws Exception {
    var computed = vectors().text();
    if ("write".equals(System.getProperty("vectors"))) {
      Files.writeString(VECTORS, computed);
    }

    assertThat(Files.readString(VECTORS)).isEqualTo(computed);
  }

  @Test
  void anotherLanguageComesToTheSame() throws Exception {
    HashingVectors.assertAgreesWithPython(VECTORS);
  }

  /** So that no other language can leave one out without a vector that says so. */
  @Test
  void withoutAnyOneRuleOfAnyGuardSomeVectorIsAnother() {
    var vectors = List.copyOf(vectors().vectors().valueStream().toList());
    PresetGuards.rules()
        .forEach(
            (guard, rules) -> {
              var its = vectors.stream().filter(one -> isOf(guard, one)).toList();
              assertThat(its).as(guard).isNotEmpty();
              withoutOne(rules)
                  .forEach(
                      (missing, fewer) -> {
                        var identity = PresetGuards.identity(fewer);
                        assertThat(its)
                            .as("%s without %s", guard, missing)
                            .anyMatch(
                                one -> !hash(identity, one).equals(one.path("hash").asText()));
                      });
            });
  }

  private static boolean isOf(String guard, JsonNode vector) {
    return vector.path("guard").asText().equals(guard);
  }

  private static String hash(Identity identity, JsonNode vector) {
    return identity.hash(vector.path("object")).toString();
  }

  /** The rules without each of them once, and without each part that some of them have. */
  private static Map<String, ObjectNode> withoutOne(ObjectNode rules) {
    var fewer = new LinkedHashMap<String, ObjectNode>();
    for (var section : rules.properties()) {
      var name = section.getKey();
      switch (section.getValue()) {
        case ArrayNode list -> {
          for (var at = 0; at < list.size(); at++) {
            var without = rules.deepCopy();
            without.withArray(name).remove(at);
            fewer.put(name + " " + list.get(at), without);
            partsOf(rules, name, at, fewer);
          }
        }
        case ObjectNode map ->
            map.fieldNames()
                .forEachRemaining(
                    place -> {
                      var without = rules.deepCopy();
                      without.withObject(name).remove(place);
                      fewer.put(name + " " + place, without);
                    });
        default -> {
          // Where the content is.
        }
      }
    }
    return fewer;
  }

  private static void partsOf(
      ObjectNode rules, String section, int at, Map<String, ObjectNode> fewer) {
    var rule = rules.path(section).path(at);
    for (var part : List.of("agreeing", "absent")) {
      if (rule.has(part)) {
        var without = rules.deepCopy();
        var changed = (ObjectNode) without.path(section).path(at);
        changed.remove(part);
        if (rule.path(part).asText().equals("position")) {
          changed.put(part, "zero");
        }
        fewer.put(part + " of " + rule, without);
      }
    }
    for (var key = 1; key < rule.path("by").size(); key++) {
      var without = rules.deepCopy();
      ((ArrayNode) without.path(section).path(at).path("by")).remove(key);
      fewer.put("key " + key + " of " + rule, without);
    }
  }

  private static HashingVectors vectors() {
    var vectors = new HashingVectors();
    HashingSamples.addTo(vectors);
    for (var seed = 0; seed < 20; seed++) {
      var samples = new NodeConfigSamples(seed);
      vectors.add("nodeconfig", "random " + seed, samples.respelled(samples.spec()));
    }
    for (var guard : RevisionSamples.GUARDS) {
      vectors.add(guard, "something in every place", RevisionSamples.spec(guard));
    }
    return vectors;
  }
}
