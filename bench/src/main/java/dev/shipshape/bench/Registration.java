package dev.shipshape.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A webhook's registration with the API server. */
final class Registration {
  private static final String CONFIGURATIONS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  /** The rule that matches each write of a NodeConfig. */
  static final Map<String, Object> NODE_CONFIGS =
      Map.of(
          "apiGroups",
          List.of("network.schiff.telekom.de"),
          "apiVersions",
          List.of("v1alpha1"),
          "operations",
          List.of("CREATE", "UPDATE"),
          "resources",
          List.of("nodeconfigs"));

  private Registration() {}

  /** Asks a server about each write of a NodeConfig, and refuses where it does not answer. */
  static void add(Cluster cluster, String name, Server server)
      throws IOException, InterruptedException {
    var authority =
        Base64.getEncoder().encodeToString(server.bundle().getBytes(StandardCharsets.UTF_8));
    var entry =
        Map.of(
            "name",
            name,
            "admissionReviewVersions",
            List.of("v1"),
            "sideEffects",
            "None",
            "failurePolicy",
            "Fail",
            "rules",
            List.of(NODE_CONFIGS),
            "clientConfig",
            Map.of("url", server.url(), "caBundle", authority));
    var configuration =
        Map.of(
            "apiVersion",
            "admissionregistration.k8s.io/v1",
            "kind",
            "ValidatingWebhookConfiguration",
            "metadata",
            Map.of("name", name),
            "webhooks",
            List.of(entry));
    cluster.send("POST", CONFIGURATIONS, Reviews.json(configuration)).expect(201);
  }

  static void remove(Cluster cluster, String name) throws IOException, InterruptedException {
    cluster.send("DELETE", CONFIGURATIONS + "/" + name, "").expect(200);
  }
}
