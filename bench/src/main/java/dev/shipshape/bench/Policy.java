package dev.shipshape.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A ValidatingAdmissionPolicy that refuses what is known invalid: its parameters are all
 * NodeConfigs.
 *
 * @param equal a CEL expression that is true if the written NodeConfig's spec equals the
 *     parameter's
 */
record Policy(String name, String equal) {
  static final Policy PLAIN = new Policy("plain", "params.spec == object.spec");

  /** Lists are equal if they have the same size and each element is in the other one as well. */
  static final Policy ANY_ORDER =
      new Policy(
          "any-order",
          Stream.of("layer2", "vrf", "routingTable")
              .map(
                  list ->
                      """
                      params.spec.%1$s.size() == object.spec.%1$s.size()
                      && params.spec.%1$s.all(a, object.spec.%1$s.exists(b, a == b))
                      && object.spec.%1$s.all(b, params.spec.%1$s.exists(a, a == b))
                      """
                          .formatted(list))
              .collect(Collectors.joining("&& ")));

  private static final String API = "/apis/admissionregistration.k8s.io/v1/";
  private static final String POLICIES = API + "validatingadmissionpolicies";
  private static final String BINDINGS = API + "validatingadmissionpolicybindings";

  /** True if the write is allowed. The cheap tests come first. */
  private String expression() {
    return """
    !has(params.status) || !has(params.status.configStatus)
    || params.status.configStatus != 'invalid'
    || params.metadata.name == object.metadata.name
    || !(%s)
    """
        .formatted(equal);
  }

  void install(Cluster cluster) throws IOException, InterruptedException {
    create(
        cluster,
        POLICIES,
        "ValidatingAdmissionPolicy",
        Map.of(
            "failurePolicy",
            "Fail",
            "paramKind",
            Map.of("apiVersion", "network.schiff.telekom.de/v1alpha1", "kind", "NodeConfig"),
            "matchConstraints",
            Map.of("resourceRules", List.of(Registration.NODE_CONFIGS)),
            "validations",
            List.of(Map.of("expression", expression(), "message", "known invalid"))));
    create(
        cluster,
        BINDINGS,
        "ValidatingAdmissionPolicyBinding",
        Map.of(
            "policyName",
            name,
            "validationActions",
            List.of("Deny"),
            "paramRef",
            Map.of("selector", Map.of(), "parameterNotFoundAction", "Allow")));
  }

  private void create(Cluster cluster, String path, String kind, Map<String, Object> spec)
      throws IOException, InterruptedException {
    var object =
        Map.of(
            "apiVersion",
            "admissionregistration.k8s.io/v1",
            "kind",
            kind,
            "metadata",
            Map.of("name", name),
            "spec",
            spec);
    cluster.send("POST", path, Reviews.json(object)).expect(201);
  }

  void remove(Cluster cluster) throws IOException, InterruptedException {
    cluster.send("DELETE", BINDINGS + "/" + name, "").expect(200);
    cluster.send("DELETE", POLICIES + "/" + name, "").expect(200);
  }
}
