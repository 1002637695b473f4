package dev.shipshape.webhook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The operators' own CustomResourceDefinitions, where a copy is at hand; tests that could do
 * without use definitions of ours.
 */
final class ReferenceDefinitions {
  private static final Path FOLDER = Path.of("../../shared/reference/crds");

  private ReferenceDefinitions() {}

  /** Has the API server serve the resource, by a definition of ours where there is no copy. */
  static void define(Api api, String era, String group, String plural, String kind)
      throws Exception {
    api.applyYaml(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + plural + "." + group,
        find(era, plural).orElse(ours(group, plural, kind, spec(era, plural))));
    Eventually.eventually(() -> api.get("/apis/" + group + "/v1alpha1/" + plural).expect(200));
  }

  private static String ours(String group, String plural, String kind, String spec) {
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: %2$s.%1$s}
    spec:
      group: %1$s
      scope: Cluster
      names: {kind: %3$s, plural: %2$s}
      versions:
      - name: v1alpha1
        served: true
        storage: true
        subresources: {status: {}}
        schema:
          openAPIV3Schema:
            type: object
            properties:
              spec: %4$s
              status: {type: object, x-kubernetes-preserve-unknown-fields: true}
    """
        .formatted(group, plural, kind, spec);
  }

  /** As much of a specification as makes the API server fill in and throw away the same. */
  private static String spec(String era, String plural) {
    return switch (era + "/" + plural) {
      case "revision-era/networkconfigrevisions" ->
          of("revision: {type: string}, config: " + of(SCHIFF));
      case "revision-era/nodenetworkconfigs" -> of(SCHIFF);
      case "tcaas-era/networkconfigrevisions" ->
          of(
              "revision: {type: string}, layer2: %1$s, vrf: %1$s, bgp: %1$s, mirrorTargets: %1$s, mirrorSelectors: %1$s"
                  .formatted(listOf("")));
      case "tcaas-era/nodenetworkconfigs" ->
          of(
              "revision: {type: string}, layer2s: %1$s, clusterVRF: %2$s, fabricVRFs: %3$s, localVRFs: %3$s"
                  .formatted(mapOf(anyWith("")), VRF, mapOf(VRF)));
      default -> anyWith("");
    };
  }

  private static final String SCHIFF =
      "revision: {type: string}, layer2: %1$s, vrf: %2$s, routingTable: %1$s"
          .formatted(listOf(""), listOf("mtu: {type: integer, default: 9000}"));

  private static final String VRF =
      anyWith("gres: " + mapOf(anyWith("layer: {type: string, default: layer3}")));

  private static String of(String properties) {
    return "{type: object, properties: {%s}}".formatted(properties);
  }

  private static String anyWith(String properties) {
    return "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {%s}}"
        .formatted(properties);
  }

  private static String mapOf(String value) {
    return "{type: object, additionalProperties: %s}".formatted(value);
  }

  private static String listOf(String properties) {
    return "{type: array, items: %s}".formatted(anyWith(properties));
  }

  /** The definition's YAML; empty where there is no copy. */
  static Optional<String> find(String era, String plural) throws IOException {
    var file = FOLDER.resolve(era).resolve(plural + ".yaml");
    return Files.isRegularFile(file) ? Optional.of(Files.readString(file)) : Optional.empty();
  }
}
