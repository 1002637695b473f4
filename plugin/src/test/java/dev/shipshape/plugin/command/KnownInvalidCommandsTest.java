package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.plugin.TestRelease;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster's KnownInvalidConfigurations, read and written from the command line. */
@ExtendWith(ControlPlaneExtension.class)
class KnownInvalidCommandsTest extends WithCommands {
  private static final String DEFINITION = "../chart/files/knowninvalidconfigurations.yaml";
  private static final String PATH = "/apis/shipshape.dev/v1alpha1/knowninvalidconfigurations";
  private static final String TIME = "2026-11-21T12:00:00Z";
  private static final String ONE = "0123456789abcdef".repeat(4);
  private static final String OTHER = "0123456789ab" + "0".repeat(52);

  private static final int FULL = "v1:".length() + ONE.length();

  private final ControlPlane cluster;
  private final KubernetesClient client;

  /** No other test has this guard. */
  private final String guard;

  /** Of a release with a preset, and a guard of its own. */
  private final String namespace;

  KnownInvalidCommandsTest(ControlPlane cluster, UniqueNames names) throws Exception {
    this.cluster = cluster;
    this.guard = names.name("guard");
    this.namespace = names.namespace("known");
    this.client = ApiConnection.open(cluster.kubeconfig(), null);
    client.load(Files.newInputStream(Path.of(DEFINITION))).serverSideApply();
    while (client.getApiResources("shipshape.dev/v1alpha1") == null) {
      Thread.onSpinWait();
    }
    // What others have left would be listed too.
    client.raw(PATH, "DELETE", null);
    var guards =
        """
        guards:
        - preset: nodeconfig
        - name: gears
          resource: {group: example.com, version: v1, plural: gears, kind: Gear}
          invalidWhen: {field: status.state, equals: invalid}
          identity: {content: spec}
        """;
    new TestRelease(cluster, namespace).settings(Map.of("webhook.yaml", guards));
  }

  @AfterEach
  void close() {
    client.raw(PATH, "DELETE", null);
    client.close();
  }

  @Test
  void whatIsKnownInvalidIsListedAndCleared() throws Exception {
    store(ONE, "worker-1");
    store(OTHER, "worker-2");

    assertThat(run("known-invalid")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .hasSize(3)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("v1:0123456789ab", "NodeConfig worker-1", "operator", "is invalid"));
    assertThat(run("forget", "0123456789ab")).as("ambiguous").isEqualTo(ExitCode.FOUND);
    assertThat(err.toString()).contains("more than one", ONE, OTHER);

    assertThat(run("forget", "0123456789abc")).isEqualTo(ExitCode.OK);

    assertThat(out.toString()).startsWith("cleared " + guard + " v1:" + ONE);
    assertThat(stored(ONE).at("/spec/verdict").asText()).isEqualTo("Cleared");
    assertThat(stored(ONE).at("/spec/failures")).as("stays to be seen").hasSize(1);
    assertThat(run("forget", "v1:" + ONE)).as("already").isEqualTo(ExitCode.FOUND);
    assertThat(run("known-invalid")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("worker-2").doesNotContain("worker-1");
    assertThat(run("known-invalid", "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(new JsonMapper().readTree(out.toString()).findValuesAsText("verdict"))
        .containsExactlyInAnyOrder("Cleared", "Invalid");
  }

  /** Copies of one template may have failed for one tenant alone. */
  @Test
  void whatFailedInTwoNamespacesIsClearedInOneAlone() throws Exception {
    for (var team : List.of("team-a", "team-b")) {
      client.raw(PATH, "POST", in(team, object(ONE, "worker-1", TIME)));
    }

    assertThat(run("forget", ONE)).isEqualTo(ExitCode.FOUND);
    assertThat(err.toString()).contains("more than one", "team-a", "team-b", "--config-namespace");
    assertThat(run("forget", ONE, "--config-namespace", "team-a")).isEqualTo(ExitCode.OK);

    assertThat(out.toString()).contains("team-a").doesNotContain("team-b");
  }

  @Test
  void whatOnlyObjectsSayIsClearedOfOneGuardByTheHashInFull() throws Exception {
    assertThat(run("forget", ONE)).isEqualTo(ExitCode.FOUND);
    assertThat(err.toString()).contains("--guard");
    assertThat(run("forget", ONE.substring(0, 20), "--guard", guard)).isEqualTo(ExitCode.FOUND);

    assertThat(run("forget", "v1:" + ONE, "--guard", guard)).isEqualTo(ExitCode.OK);

    assertThat(out.toString()).contains("for objects without a namespace");
    assertThat(stored(ONE).at("/spec/verdict").asText()).isEqualTo("Cleared");
  }

  @Test
  void aReasonMovesNothingOnTheTerminal() {
    var reason = "a\\u009b2J\\u202e\\nb";
    client.raw(PATH, "POST", object(ONE, "worker-1", TIME).replace("is invalid", reason));

    assertThat(run("known-invalid")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).hasSize(2).last().asString().endsWith("a?2J? b");
  }

  /** A time of a format that the API server takes, and that is none. */
  @Test
  void whatTheWebhookCannotReadIsLeftOut() throws Exception {
    store(ONE, "worker-1");
    store(OTHER, "worker-2", "2026-11-21T12:00:00+23:00");

    for (var command : List.of("known-invalid", "known-invalid export")) {
      assertThat(run(command.split(" "))).as(err.toString()).isEqualTo(ExitCode.OK);
      assertThat(out.toString()).contains("worker-1").doesNotContain("worker-2");
    }
    assertThat(run("forget", "0123456789ab")).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains(ONE).doesNotContain(OTHER);
  }

  @Test
  void anExportOfNothingIsAnEmptyList() {
    assertThat(run("known-invalid", "export")).isEqualTo(ExitCode.OK);

    assertThat(out.toString()).isEqualTo("apiVersion: v1\nkind: List\nitems: []\n");
  }

  @Test
  void whatIsExportedCanBeAppliedElsewhereWithoutNodesAndTheServersPart(@TempDir Path folder)
      throws Exception {
    store(ONE, "worker-1");

    assertThat(run("known-invalid", "export")).isEqualTo(ExitCode.OK);

    var exported = out.toString();
    assertThat(exported)
        .contains("status.configStatus is invalid", "name: \"worker-1\"")
        .containsPattern("shipshape.dev/failed-at: \"2\\d{3}-")
        .doesNotContain("uid", "resourceVersion", "managedFields", "failures", "status:\n");
    client.raw(PATH + "/" + guard + "." + ONE, "DELETE", null);
    var file = Files.writeString(folder.resolve("known.yaml"), exported);
    client.load(Files.newInputStream(file)).serverSideApply();
    assertThat(stored(ONE).at("/spec/verdict").asText()).isEqualTo("Invalid");
    assertThat(run("known-invalid", "export")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            exported.lines().filter(line -> line.contains("failed-at")).findFirst().orElseThrow());
  }

  @Test
  void aManifestIsRememberedWithItsReason(@TempDir Path folder) throws Exception {
    var file =
        Files.writeString(
            folder.resolve("bad.yaml"),
            """
            apiVersion: network.schiff.telekom.de/v1alpha1
            kind: NodeConfig
            metadata: {name: worker-7}
            spec: {layer2: [{id: 7, mtu: 1500, vni: 700}], vrf: [], routingTable: []}
            """);

    assertThat(run("remember", file.toString(), "--reason", "it cut off worker-7 in staging"))
        .isEqualTo(ExitCode.OK);

    var name = out.toString().substring(0, out.toString().indexOf(" is known"));
    assertThat(name).startsWith("nodeconfig.");
    var stored = new JsonMapper().readTree(client.raw(PATH + "/" + name));
    assertThat(stored.at("/spec/verdict").asText()).isEqualTo("Invalid");
    assertThat(stored.at("/spec/reason").asText()).isEqualTo("it cut off worker-7 in staging");
    assertThat(stored.at("/spec/content/layer2")).hasSize(1);
    assertThat(run("hash", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith(stored.at("/spec/hash").asText());

    assertThat(run("forget", stored.at("/spec/hash").asText())).isEqualTo(ExitCode.OK);
    var cleared = new JsonMapper().readTree(client.raw(PATH + "/" + name));
    assertThat(cleared.at("/spec/verdict").asText()).isEqualTo("Cleared");
    assertThat(cleared.at("/spec/reason").asText()).isEqualTo("it cut off worker-7 in staging");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ", namespace: \"\"", ", namespace: null"})
  void anObjectWithoutANamespaceIsRememberedInKubectlsDefault(
      String namespace, @TempDir Path folder) throws Exception {
    var policy = policy("x").replace(", namespace: \"x\"", namespace);
    var file = Files.writeString(folder.resolve("policy.yaml"), policy).toString();

    assertThat(run("remember", file, "--reason", "x", "--settings", policies(folder, "")))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);

    assertThat(out.toString()).startsWith(guard + ".default.");
  }

  @Test
  void anObjectOfTheReleasesOwnGuardIsRemembered(@TempDir Path folder) throws Exception {
    var gear = "apiVersion: example.com/v1\nkind: Gear\nmetadata: {name: a}\nspec: {teeth: 9}\n";
    var file = Files.writeString(folder.resolve("gear.yaml"), gear).toString();

    assertThat(run("remember", file, "--reason", "it broke"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);

    assertThat(out.toString()).startsWith("gears.").contains("is known invalid");
    assertThat(run("hash", file)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("no guard is for Gear", "--settings FILE");
  }

  /** In the API server's lists of its own kinds, no item has an apiVersion. */
  @Test
  void objectsOfABuiltInKindAreScanned(@TempDir Path folder) throws Exception {
    client.resource(policy(namespace)).create();

    var code = run("scan", "--settings", policies(folder, ""));

    assertThat(code).as(err.toString()).isEqualTo(ExitCode.OK);
  }

  /** Copies of one template have one name. */
  @Test
  void aGuardAcrossNamespacesFindsTheObjectOfTheSameNameInAnotherNamespace(
      UniqueNames names, @TempDir Path folder) throws Exception {
    var other = names.namespace("other");
    for (var each : List.of(namespace, other)) {
      client.resource(policy(each)).create();
    }
    var file = Files.writeString(folder.resolve("policy.yaml"), policy(namespace)).toString();
    var settings = policies(folder, "acrossNamespaces: true");
    assertThat(run("hash", file, "--settings", settings)).isEqualTo(ExitCode.OK);
    var learned = object(out.toString().substring("v1:".length(), FULL), "copy", TIME);
    client.raw(PATH + "?fieldManager=shipshape-webhook", "POST", in(namespace, learned));

    var code = run("scan", "--settings", settings, "-o", "json");

    assertThat(code).as(err.toString()).isEqualTo(ExitCode.FOUND);
    assertThat(new JsonMapper().readTree(out.toString()))
        .extracting(hit -> hit.path("object").asText())
        .containsExactly("NetworkPolicy " + other + "/copy");
  }

  @Test
  void ofAFileWithAnObjectThatNoGuardKnowsNothingIsRemembered(@TempDir Path folder)
      throws Exception {
    var file =
        Files.writeString(
            folder.resolve("mixed.yaml"),
            """
            apiVersion: network.schiff.telekom.de/v1alpha1
            kind: NodeConfig
            metadata: {name: a}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: b}
            """);

    assertThat(run("remember", file.toString(), "--reason", "x")).isEqualTo(ExitCode.BAD_INPUT);

    assertThat(err.toString()).contains("ConfigMap b", "no guard is for", "--settings FILE");
    assertThat(client.raw(PATH)).contains("\"items\":[]");
  }

  @Test
  void anObjectThatIsNeverRefusedIsNotRemembered(@TempDir Path folder) throws Exception {
    var settings =
        Files.writeString(
            folder.resolve("webhook.yaml"),
            "apiVersion: shipshape.dev/v1\nguards: [{preset: schiff-revisions}]\n");
    var file =
        Files.writeString(
            folder.resolve("node.yaml"),
            """
            apiVersion: network.schiff.telekom.de/v1alpha1
            kind: NodeNetworkConfig
            metadata: {name: worker-7}
            spec: {revision: a}
            """);

    var code = run("remember", file.toString(), "--reason", "x", "--settings", settings.toString());

    assertThat(code).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("NodeNetworkConfig worker-7", "is never refused");
    assertThat(client.raw(PATH)).contains("\"items\":[]");
  }

  @Test
  void whatIsNoHashIsAWrongCommandLine() {
    assertThat(run("forget", "0123456789a")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("not a hash", "first 12");
  }

  private String policies(Path folder, String more) throws Exception {
    var settings =
        """
        apiVersion: shipshape.dev/v1
        guards:
        - name: %s
          resource: {group: networking.k8s.io, version: v1, plural: networkpolicies, kind: NetworkPolicy, namespaced: true}
          invalidWhen: {field: status.state, equals: invalid}
          identity: {content: spec}
          %s
        """;
    return Files.writeString(folder.resolve("webhook.yaml"), settings.formatted(guard, more))
        .toString();
  }

  private String policy(String of) {
    return """
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: copy, namespace: "%s"}
    spec: {podSelector: {matchLabels: {of: "%s"}}, policyTypes: [Ingress]}
    """
        .formatted(of, guard);
  }

  private void store(String hex, String node) {
    store(hex, node, TIME);
  }

  private void store(String hex, String node, String failedAt) {
    client.raw(PATH, "POST", object(hex, node, failedAt));
  }

  private String object(String hex, String node, String failedAt) {
    return """
    {"apiVersion":"shipshape.dev/v1alpha1","kind":"KnownInvalidConfiguration",
     "metadata":{"name":"%1$s.%2$s"},
     "spec":{"guard":"%1$s","hash":"v1:%2$s","verdict":"Invalid",
      "reason":"status.configStatus is invalid",
      "source":{"kind":"NodeConfig","name":"%3$s","uid":"u"},
      "failures":{"%3$s":{"failedAt":"%4$s","message":"m","writer":"operator"}}}}
    """
        .formatted(guard, hex, node, failedAt);
  }

  private String in(String of, String object) {
    return object
        .replace(guard + ".", guard + "." + of + ".")
        .replace("\"guard\":", "\"namespace\": \"%s\", \"guard\":".formatted(of));
  }

  private JsonNode stored(String hex) throws Exception {
    return new JsonMapper().readTree(client.raw(PATH + "/" + guard + "." + hex));
  }

  @Override
  int run(String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    if (!arguments[0].equals("hash")) {
      all.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    }
    if (arguments[0].equals("remember")) {
      all.addAll(List.of("-n", namespace));
    }
    return super.run(all.toArray(String[]::new));
  }
}
