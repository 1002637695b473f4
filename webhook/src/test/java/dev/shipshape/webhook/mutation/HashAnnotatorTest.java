package dev.shipshape.webhook.mutation;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;
import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.Reviews;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.StampedResource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashAnnotatorTest {
  private static final Decision NOTHING = Decision.of(Reason.NOTHING_TO_ANNOTATE);
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";

  private final HashAnnotator stamper = new HashAnnotator(new TestingGuards().guards(), List.of());

  @Test
  void aResourceMayBeListedInTwoVersions() {
    var listed =
        List.of(
            new StampedResource("things.apps", false), new StampedResource("things.apps", true));

    assertThatCode(() -> new HashAnnotator(new TestingGuards().guards(), listed))
        .doesNotThrowAnyException();
  }

  @Test
  void anObjectWithoutAnnotationsGetsThemAllAtOnce() {
    var patch = json(decide(nodeConfig("worker-1", SPEC)).patch());

    assertThat(patch).hasSize(1);
    assertThat(patch.get(0).path("op").asText()).isEqualTo("add");
    assertThat(patch.get(0).path("path").asText()).isEqualTo("/metadata/annotations");
    var stamps = patch.get(0).path("value");
    assertThat(stamps.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("shipshape.dev/config-hash", "shipshape.dev/non-status-hash");
    assertThat(stamps).allSatisfy(stamp -> assertThat(stamp.asText()).matches("v1:[0-9a-f]{64}"));
  }

  @Test
  void annotationsWithoutRoomAreLeftAloneAndForgedHashesTakenOff() {
    var most = 256 * 1024;
    var stamps =
        json(decide(nodeConfig("worker-1", SPEC)).patch()).at("/0/value").properties().stream()
            .mapToInt(stamp -> stamp.getKey().length() + stamp.getValue().asText().length())
            .sum();
    var fits = withAnnotations("{\"a\":\"%s\"}".formatted("x".repeat(most - stamps - 1)));
    var full =
        withAnnotations(
            "{\"a\":\"%s\",\"shipshape.dev/config-hash\":\"v1:forged\"}"
                .formatted("x".repeat(most - stamps)));

    assertThat(decide(fits).reason()).isEqualTo(Reason.ANNOTATED);
    assertThat(decide(full).reason()).isEqualTo(Reason.UNSTAMPED);
    assertThat(decide(full).message()).contains("no hash annotations");
    assertThat(json(decide(full).patch()))
        .singleElement()
        .matches(operation -> operation.path("op").asText().equals("remove"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[]",
        "\"x\"",
        "{}",
        "{\"metadata\":null}",
        "{\"metadata\":[]}",
        "{\"metadata\":\"x\"}",
        "{\"metadata\":{\"annotations\":[]}}",
        "{\"metadata\":{\"annotations\":\"x\"}}"
      })
  void whatHasNoPlaceForAnnotationsIsLeftAlone(String object) {
    assertThat(decide(object)).isEqualTo(NOTHING);
  }

  @Test
  void theNonStatusHashSeesLabelsAnnotationsAndContentButNotStatusAndTheRest() {
    var base = nonStatusHash("{metadata: {name: 'a', labels: {}}, spec: {x: 1}}");

    assertThat(
            nonStatusHash(
                """
                {apiVersion: 'v1', kind: 'K', status: {y: 2}, spec: {x: 1},
                 metadata: {name: 'b', uid: 'u', generation: 7, finalizers: ['f'],
                  annotations: {'kubectl.kubernetes.io/last-applied-configuration': '{}',
                   'shipshape.dev/config-hash': 'x', 'shipshape.dev/non-status-hash': 'y',
                   'shipshape.dev/status-hash': 'z'}}}
                """))
        .isEqualTo(base);
    assertThat(nonStatusHash("{metadata: {labels: {a: 'b'}}, spec: {x: 1}}")).isNotEqualTo(base);
    assertThat(nonStatusHash("{metadata: {annotations: {a: 'b'}}, spec: {x: 1}}"))
        .isNotEqualTo(base);
    assertThat(nonStatusHash("{metadata: {}, spec: {x: 2}}")).isNotEqualTo(base);
    assertThat(nonStatusHash("{metadata: {}, spec: {x: 1}, data: {}}")).isNotEqualTo(base);
  }

  @Test
  void onlyWritesOfTheObjectItselfAreStamped() {
    var object = nodeConfig("worker-1", SPEC);

    assertThat(decideReview(Reviews.review("DELETE", object, object))).isEqualTo(NOTHING);
    assertThat(
            decideReview(
                creation(object)
                    .replace("\"operation\"", "\"subResource\":\"status\",\"operation\"")))
        .isEqualTo(NOTHING);
    assertThat(decideReview(creation(object).replace("\"nodeconfigs\"", "\"pods\"")))
        .isEqualTo(NOTHING);
  }

  private static String nonStatusHash(String object) {
    return NonStatusHash.of(object(object), null).toString();
  }

  private static String withAnnotations(String annotations) {
    return nodeConfig("worker-1", SPEC)
        .replace("\"name\"", "\"annotations\":" + annotations + ",\"name\"");
  }

  private Decision decide(String object) {
    return decideReview(creation(object));
  }

  private Decision decideReview(String review) {
    return stamper.decide(request(review));
  }

  private static AdmissionRequest request(String review) {
    return AdmissionReview.read(bytes(review));
  }

  /** Applies the patch as RFC 6902 has it: each parent must be there. */
  static JsonNode applied(JsonNode object, String patch) {
    var target = object.deepCopy();
    for (var operation : json(patch)) {
      var path = operation.path("path").asText();
      var slash = path.lastIndexOf('/');
      var parent = (ObjectNode) target.at(path.substring(0, slash));
      var member = path.substring(slash + 1).replace("~1", "/").replace("~0", "~");
      var op = operation.path("op").asText();
      assertThat(op).isIn("add", "replace", "remove");
      assertThat(op.equals("add") || parent.has(member)).as(op).isTrue();
      if (op.equals("remove")) {
        parent.remove(member);
      } else {
        parent.set(member, operation.get("value"));
      }
    }
    return target;
  }
}
