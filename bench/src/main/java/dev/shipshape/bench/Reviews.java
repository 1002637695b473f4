package dev.shipshape.bench;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** AdmissionReviews of a NodeConfig's update, with their members in the API server's order. */
final class Reviews {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
  private static final String GROUP = "network.schiff.telekom.de";
  private static final int SMALL = 50;
  private static final int LARGE = 500;

  private Reviews() {}

  /** 24 KB. */
  static Path small(Checkout checkout) throws IOException {
    return write(checkout.target("review-small.json"), SMALL);
  }

  /** 236 KB. */
  static Path large(Checkout checkout) throws IOException {
    return write(checkout.target("review-large.json"), LARGE);
  }

  private static Path write(Path file, int networks) throws IOException {
    return Files.writeString(file, update("node-1", spec(networks, 0)));
  }

  /** The review of a NodeConfig's update that changes nothing. */
  private static String update(String name, Object spec) throws IOException {
    var object = nodeConfig(name, spec);
    return review(name, "UPDATE", object, object);
  }

  /** The review of a NodeConfig's creation. */
  static String creation(String name, Object spec) throws IOException {
    return review(name, "CREATE", nodeConfig(name, spec), Map.of());
  }

  private static String review(String name, String operation, Object object, Object oldObject)
      throws IOException {
    var request =
        Map.of(
            "uid",
            "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind",
            Map.of("group", GROUP, "version", "v1alpha1", "kind", "NodeConfig"),
            "resource",
            Map.of("group", GROUP, "version", "v1alpha1", "resource", "nodeconfigs"),
            "name",
            name,
            "operation",
            operation,
            "userInfo",
            Map.of("username", "admin", "groups", List.of("system:authenticated")),
            "object",
            object,
            "oldObject",
            oldObject,
            "dryRun",
            false);
    return MAPPER.writeValueAsString(
        Map.of("apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview", "request", request));
  }

  /** A NodeConfig as the API takes it. */
  static Map<String, Object> nodeConfig(String name, Object spec) {
    return Map.of(
        "apiVersion",
        GROUP + "/v1alpha1",
        "kind",
        "NodeConfig",
        "metadata",
        Map.of("name", name),
        "spec",
        spec);
  }

  static String json(Object value) throws IOException {
    return MAPPER.writeValueAsString(value);
  }

  /**
   * A configuration.
   *
   * @param networks how many layer 2 networks it has, in no order
   * @param variant makes it another one
   */
  static Map<String, Object> spec(int networks, int variant) {
    return spec(layer2(networks, variant));
  }

  /** The same configuration, with its networks the other way round. */
  static Map<String, Object> reversed(int networks, int variant) {
    return spec(layer2(networks, variant).reversed());
  }

  /** As {@link #reversed}, but for its first network. */
  static Map<String, Object> almostReversed(int networks, int variant) {
    var layer2 = new ArrayList<>(layer2(networks, variant).reversed());
    layer2.set(0, network(networks, variant));
    return spec(layer2);
  }

  private static Map<String, Object> spec(List<Map<String, Object>> layer2) {
    return Map.of("layer2", layer2, "vrf", List.of(), "routingTable", List.of());
  }

  private static List<Map<String, Object>> layer2(int networks, int variant) {
    return IntStream.range(0, networks)
        .mapToObj(at -> network(at * 37 % networks, variant))
        .toList();
  }

  private static Map<String, Object> network(int number, int variant) {
    return Map.of(
        "id",
        100 + number,
        "vni",
        1 + variant * 1000 + number,
        "mtu",
        9000,
        "vrf",
        "cluster-vrf-" + number % 7,
        "anycastMac",
        "02:54:00:00:00:01",
        "anycastGateways",
        List.of(
            "fd00:%x::1/64".formatted(number),
            "10.%d.%d.1/24".formatted(number / 250, number % 250)),
        "neighSuppression",
        true,
        "nodeSelector",
        Map.of("matchLabels", Map.of("kubernetes.io/hostname", "node-" + number)));
  }
}
