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
        find(era, plural).orElse(anything(group, plural, kind)));
    Eventually.eventually(() -> api.get("/apis/" + group + "/v1alpha1/" + plural).expect(200));
  }

  private static String anything(String group, String plural, String kind) {
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
              spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
              status: {type: object, x-kubernetes-preserve-unknown-fields: true}
    """
        .formatted(group, plural, kind);
  }

  /** The definition's YAML; empty where there is no copy. */
  static Optional<String> find(String era, String plural) throws IOException {
    var file = FOLDER.resolve(era).resolve(plural + ".yaml");
    return Files.isRegularFile(file) ? Optional.of(Files.readString(file)) : Optional.empty();
  }
}
