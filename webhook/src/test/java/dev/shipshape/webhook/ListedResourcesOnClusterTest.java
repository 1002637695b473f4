package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.mutation.NonStatusTree;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Stamps on resources that a user lists, with and without a status subresource. */
@ExtendWith(ControlPlaneExtension.class)
class ListedResourcesOnClusterTest {
  private static final String GADGETS = "/apis/example.com/v1/gadgets";
  private static final String WIDGETS = "/apis/example.com/v1/widgets";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";

  private static GuardedCluster guarded;

  @BeforeAll
  static void install(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    try (var api = Api.asAdministrator(cluster)) {
      define(api, "gadgets", "Gadget", "subresources: {status: {}}");
      define(api, "widgets", "Widget", "additionalPrinterColumns: []");
    }
    guarded =
        GuardedCluster.install(
            cluster,
            names,
            folder,
            "stamp: [{resource: gadgets.example.com}, {resource: widgets.example.com, status:"
                + " true}, {resource: configmaps}]\n",
            """
            , {apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'],
               resources: ['gadgets', 'widgets']},
              {apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'],
               resources: ['configmaps']}
            """);
  }

  private static final String STATUS_HASH = HashAnnotator.STATUS_HASH;

  @AfterAll
  static void remove() {
    guarded.close();
  }

  @Promise(
      value = "A watch of metadata alone shows a silent edit.",
      breaks = "Not stamping a resource or subresource.")
  @Test
  void aWatcherOfMetadataAloneSeesThatACopyWasEdited(UniqueNames names) throws Exception {
    var source = create(GADGETS, gadget(names.name("source"), 1));
    var copyName = names.name("copy");
    var copy = create(GADGETS, gadget(copyName, 1));
    var wanted = source.annotation(HashAnnotator.NON_STATUS_HASH);
    assertThat(copy.annotation(HashAnnotator.NON_STATUS_HASH)).isEqualTo(wanted).startsWith("v1:");

    // The user edits the spec and sends the annotations as they were.
    var edited = copy.object();
    edited.withObject("spec").put("size", 2);
    try (var watch = guarded.api().watchMetadata(GADGETS, copy.resourceVersion())) {
      guarded.api().put(GADGETS + "/" + copyName, edited).expect(200);

      var seen =
          watch
              .map(event -> event.path("object"))
              .filter(object -> object.at("/metadata/name").asText().equals(copyName))
              .findFirst()
              .orElseThrow();
      assertThat(seen.path("kind").asText()).isEqualTo("PartialObjectMetadata");
      assertThat(seen.has("spec")).isFalse();
      assertThat(seen.at("/metadata/annotations").path(HashAnnotator.NON_STATUS_HASH).asText())
          .startsWith("v1:")
          .isNotEqualTo(wanted);
    }

    var repaired = guarded.api().get(GADGETS + "/" + copyName).object();
    repaired.withObject("spec").put("size", 1);
    assertThat(
            guarded
                .api()
                .put(GADGETS + "/" + copyName, repaired)
                .annotation(HashAnnotator.NON_STATUS_HASH))
        .isEqualTo(wanted);
  }

  @Test
  void theStatusIsHashedWhereItIsNoSubresource(UniqueNames names) throws Exception {
    var name = names.name("widget");
    var first = create(WIDGETS, gadget(name, 1));

    var second =
        guarded.api().merge(WIDGETS + "/" + name, json("{status: {state: 'b'}}")).expect(200);
    var third = guarded.api().put(WIDGETS + "/" + name, second.body()).expect(200);

    assertThat(first.annotation(STATUS_HASH)).startsWith("v1:");
    assertThat(second.annotation(STATUS_HASH))
        .startsWith("v1:")
        .isNotEqualTo(first.annotation(STATUS_HASH));
    assertThat(second.annotation(HashAnnotator.NON_STATUS_HASH))
        .isEqualTo(first.annotation(HashAnnotator.NON_STATUS_HASH));
    assertThat(third.resourceVersion()).as("nothing changed").isEqualTo(second.resourceVersion());
  }

  @Test
  void aForgedHashOfAStatusThatIsNotHashedIsTakenOff(UniqueNames names) throws Exception {
    var name = names.name("gadget");
    var forged = gadget(name, 1);
    forged.withObject("metadata").putObject("annotations").put(STATUS_HASH, "v1:x").put("a", "b");

    var stored = create(GADGETS, forged);

    assertThat(stored.annotation(STATUS_HASH)).isEmpty();
    assertThat(stored.annotation("a")).isEqualTo("b");
    assertThat(stored.annotation(HashAnnotator.NON_STATUS_HASH)).startsWith("v1:");
    guarded
        .api()
        .merge(GADGETS + "/" + name + "/status", json("{status: {state: 'b'}}"))
        .expect(200);
    assertThat(guarded.api().get(GADGETS + "/" + name).annotation(STATUS_HASH)).isEmpty();
  }

  @Test
  void aResourceOfTheCoreGroupIsStampedToo(UniqueNames names) throws Exception {
    var path = "/api/v1/namespaces/" + names.namespace("stamp") + "/configmaps";
    var map =
        object("{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}, data: {k: 'v'}}");

    var stored = create(path, map);

    assertThat(stored.annotation(HashAnnotator.NON_STATUS_HASH))
        .isEqualTo(NonStatusTree.of(map).toString());
    assertThat(stored.annotation(ConfigHash.ANNOTATION)).isEmpty();
    assertThat(stored.annotation(STATUS_HASH)).isEmpty();
  }

  private static Api.Reply create(String path, ObjectNode object) throws Exception {
    var kind = path.startsWith(WIDGETS) ? "Widget" : "Gadget";
    var typed =
        object.has("kind") ? object : object.put("apiVersion", "example.com/v1").put("kind", kind);
    return guarded.api().post(path, typed).expect(201);
  }

  /** What a gadget says, or a widget. */
  private static ObjectNode gadget(String name, int size) {
    return object(
        """
        {metadata: {name: '%s', labels: {app: 'x'}}, spec: {size: %d}, status: {state: 'a'}}
        """
            .formatted(name, size));
  }

  private static void define(Api api, String plural, String kind, String more) throws Exception {
    api.applyYaml(
        DEFINITIONS + plural + ".example.com",
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %1$s.example.com}
        spec:
          group: example.com
          scope: Cluster
          names: {kind: %2$s, plural: %1$s}
          versions:
          - name: v1
            served: true
            storage: true
            %3$s
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                  status: {type: object, x-kubernetes-preserve-unknown-fields: true}
        """
            .formatted(plural, kind, more));
    eventually(() -> api.get("/apis/example.com/v1/" + plural).expect(200));
  }
}
