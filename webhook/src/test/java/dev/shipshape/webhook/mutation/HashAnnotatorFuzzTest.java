package dev.shipshape.webhook.mutation;

import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.FuzzedRandom;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.GroupVersionResource;
import dev.shipshape.webhook.admission.Operation;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.StampedResource;
import dev.shipshape.webhook.identity.CanonicalJson;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.identity.EdgeSamples;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Objects with anything in the place of their metadata. */
class HashAnnotatorFuzzTest {
  private static final ObjectNode OBJECT =
      object(
          """
          {apiVersion: 'v1', kind: 'K', status: {configStatus: 'invalid'},
           metadata: {name: 'a', labels: {a: 'b'}, finalizers: ['f'], annotations: {
            'a~b/c': 'x', 'shipshape.dev/config-hash': 'v1:forged', other: 'y',
            'shipshape.dev/non-status-hash': 'v1:old', 'shipshape.dev/status-hash': 'v1:old'}},
           spec: {layer2: [{id: 1, vni: 7, mtu: 1500}], vrf: []}}
          """);

  private final TestingGuards guards = new TestingGuards();
  private final GroupVersionResource guarded =
      new GroupVersionResource("network.schiff.telekom.de", "v1alpha1", "nodeconfigs");
  private final GroupVersionResource listed = new GroupVersionResource("apps", "v1", "things");
  private final HashAnnotator annotator =
      new HashAnnotator(guards.guards(), List.of(new StampedResource("things.apps", true)));

  @FuzzTest
  void thePatchMakesTheAnnotatedObject(byte[] data) throws IOException {
    var random = new FuzzedRandom(data);
    var isGuarded = random.nextBoolean();
    var written = new EdgeSamples(random).like(OBJECT).toString();
    var object = JsonLimits.tree(written.getBytes(StandardCharsets.UTF_8));
    var resource = isGuarded ? guarded : listed;

    var patch = annotator.decide(request(resource, object)).patch();
    var patched = patch.isEmpty() ? object : HashAnnotatorTest.applied(object, patch);

    assertThat(patched).isEqualTo(annotated(object, isGuarded));
    assertThat(annotator.decide(request(resource, patched)).reason())
        .isEqualTo(Reason.NOTHING_TO_ANNOTATE);
  }

  private static AdmissionRequest request(GroupVersionResource resource, JsonNode object) {
    var user = "jane";
    return new AdmissionRequest(
        "u",
        Operation.CREATE,
        resource,
        "",
        "a",
        "",
        user,
        false,
        object,
        MissingNode.getInstance());
  }

  private JsonNode annotated(JsonNode object, boolean isGuarded) {
    var annotated = object.deepCopy();
    var before = object.at("/metadata/annotations");
    if (annotated.path("metadata") instanceof ObjectNode metadata
        && (before.isMissingNode() || before.isNull() || before.isObject())) {
      var annotations =
          before.isObject()
              ? metadata.withObject("annotations")
              : metadata.putObject("annotations");
      annotations.remove(HashAnnotator.HASHES);
      annotations.put("shipshape.dev/non-status-hash", NonStatusTree.of(object).toString());
      if (isGuarded) {
        var hash = guards.guard().identity().hash(object);
        annotations.put("shipshape.dev/config-hash", hash.toString());
      } else if (object.hasNonNull("status")) {
        var hash = ConfigHash.of(CanonicalJson.write(object.path("status")));
        annotations.put("shipshape.dev/status-hash", hash.toString());
      }
    }
    return annotated;
  }
}
