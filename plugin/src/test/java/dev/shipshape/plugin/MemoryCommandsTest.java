package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The memory's ConfigMap, read and written from the command line. */
@ExtendWith(ControlPlaneExtension.class)
class MemoryCommandsTest {
  private static final String ONE = "0123456789abcdef".repeat(4);
  private static final String OTHER = "0123456789ab" + "0".repeat(52);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ControlPlane cluster;
  private final String namespace;

  MemoryCommandsTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.name("memory");
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .create();
    }
  }

  @Test
  void whatIsRememberedIsListedAndForgotten() throws Exception {
    remember(Map.of(key(ONE), entry("worker-1"), key(OTHER), entry("worker-2"), "note", "hello"));

    assertThat(run("known-invalid")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .hasSize(3)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("v1:0123456789ab", "NodeConfig worker-1", "operator", "is invalid"));
    assertThat(err.toString()).contains("1 entries of the ConfigMap cannot be read");
    assertThat(run("known-invalid", "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(new JsonMapper().readTree(out.toString()).findValuesAsText("hash"))
        .containsExactlyInAnyOrder("v1:" + ONE, "v1:" + OTHER);

    assertThat(run("forget", "0123456789ab")).as("ambiguous").isEqualTo(ExitCode.FOUND);
    assertThat(err.toString()).contains("more than one", ONE, OTHER);
    assertThat(run("forget", "0123456789abc")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith("forgot v1:" + ONE).contains("worker-1");
    assertThat(run("forget", "v1:" + ONE)).as("already").isEqualTo(ExitCode.FOUND);
    assertThat(err.toString()).contains("nothing that is remembered");
    assertThat(run("known-invalid")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("worker-2").doesNotContain("worker-1");
    assertThat(data()).containsEntry("note", "hello").containsKey(key(OTHER));
    assertThat(data().get(key(ONE))).contains("forgotten", "\"by\":");
  }

  @Test
  void whereNothingIsRememberedThereIsNothingToForget() {
    remember(Map.of());

    assertThat(run("known-invalid")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).hasSize(1);
    assertThat(run("forget", ONE)).isEqualTo(ExitCode.FOUND);
    assertThat(err.toString()).contains("--guard");
  }

  @Test
  void whatOnlyObjectsSayIsForgottenOfOneGuardByTheHashInFull() {
    remember(Map.of(key(OTHER), entry("worker-2")));

    assertThat(run("forget", ONE.substring(0, 20), "--guard", "nodeconfig"))
        .isEqualTo(ExitCode.FOUND);
    assertThat(run("forget", OTHER, "--guard", "other")).isEqualTo(ExitCode.OK);
    assertThat(run("forget", "v1:" + ONE, "--guard", "nodeconfig")).isEqualTo(ExitCode.OK);

    assertThat(out.toString()).startsWith("forgot v1:" + ONE + " (nodeconfig)");
    assertThat(data().get(key(ONE))).contains("forgotten", "\"by\":");
    assertThat(data().get(key(OTHER))).as("of another guard").contains("invalid");
  }

  @Test
  void aNamespaceThatHasNoMemoryIsSaidAndWhichOneHas() {
    var here = "%s (there is no ConfigMap shipshape-known-invalid)".formatted(namespace + "-other");
    remember(Map.of());

    for (var command : List.of(List.of("known-invalid"), List.of("forget", ONE))) {
      assertThat(runIn(namespace + "-other", command)).isEqualTo(ExitCode.FOUND);
      assertThat(err.toString())
          .startsWith("shipshape: nothing is remembered in namespace " + here + "; it is in: ")
          .contains(namespace);
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void whatIsNoHashIsAWrongCommandLine() {
    assertThat(run("forget", "0123456789a")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("not a hash", "first 12");
  }

  private void remember(Map<String, String> data) {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      var map =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withName("shipshape-known-invalid")
              .endMetadata()
              .withData(data)
              .build();
      client.configMaps().inNamespace(namespace).resource(map).create();
    }
  }

  private Map<String, String> data() {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      return client
          .configMaps()
          .inNamespace(namespace)
          .withName("shipshape-known-invalid")
          .get()
          .getData();
    }
  }

  private static String key(String hex) {
    return "v1." + hex + ".nodeconfig";
  }

  private static String entry(String node) {
    return """
    {"state":"invalid","at":"2026-11-21T12:00:00Z","since":"2026-11-21T12:00:00Z",
     "kind":"NodeConfig","name":"%1$s","uid":"u","nodes":{"%1$s":"2026-11-21T12:00:00Z"},"by":"operator","reason":"status.configStatus is invalid"}
    """
        .formatted(node);
  }

  private int run(String... arguments) {
    return runIn(namespace, List.of(arguments));
  }

  private int runIn(String place, List<String> arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    var all = new ArrayList<>(arguments);
    all.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString(), "-n", place));
    return Shipshape.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
  }
}
