package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.certs.Authority;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.WebhookServer;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The offline judgement beside that of a real API server that asks a real webhook. */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(180)
@ResourceLock(ReviewOnClusterTest.NODE_CONFIGS)
class ReviewOnClusterTest extends WithCommands {
  /** A guard of another test learns from those that are stored here. */
  static final String NODE_CONFIGS = "nodeconfigs";

  private static final int MANIFESTS = 300;
  private static final int KNOWN = 10;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PATH = "/apis/network.schiff.telekom.de/v1alpha1/nodeconfigs";
  private static final String CONFIGURATIONS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  private final ControlPlane cluster;
  private final HttpClient http;
  private final Random random = new Random(22);

  @TempDir Path folder;

  ReviewOnClusterTest(ControlPlane cluster) {
    this.cluster = cluster;
    this.http = cluster.adminHttpClient();
  }

  @BeforeEach
  void serveNodeConfigs() throws Exception {
    try (var client = client();
        var definition =
            ControlPlane.class.getResourceAsStream("/dev/shipshape/sandbox/nodeconfigs.yaml")) {
      client.load(definition).serverSideApply();
    }
    Eventually.holds("they are served", () -> send("GET", PATH, "").code() == 200);
  }

  @AfterEach
  void takeAllAway() throws Exception {
    send("DELETE", CONFIGURATIONS + "/review-test", "");
    send("DELETE", PATH, "");
    http.shutdownNow();
  }

  @Promise(value = "`review` decides as admission does.", breaks = "A second implementation.")
  @Test
  void theVerdictsAreTheApiServersObjectForObject() throws Exception {
    var known = storeKnownInvalid();
    var manifests = manifests(known);
    Files.createDirectories(folder.resolve("manifests"));
    for (var manifest : manifests.entrySet()) {
      Files.writeString(
          folder.resolve("manifests/%s.yaml".formatted(manifest.getKey())),
          Serialization.asYaml(manifest.getValue()));
    }
    var exported = Files.writeString(folder.resolve("known.json"), send("GET", PATH, "").body());

    var offline = review("--known-invalid", exported.toString());
    var online = review("--cluster", "--settings", settings(), "--kubeconfig", kubeconfig());
    var real = admission(manifests);

    assertThat(real.values()).contains("admitted", "refused");
    assertThat(offline).isEqualTo(real);
    assertThat(online).isEqualTo(real);
  }

  @Test
  void whatRunsThoughItFailedElsewhereIsFoundAndItsOwnFailureIsNot() throws Exception {
    var spec = spec();
    store(nodeConfig("failed", spec), "invalid");
    store(nodeConfig("twin", respelled(spec)), "provisioned");
    store(nodeConfig("other", spec()), "provisioned");

    assertThat(run("scan", "--settings", settings(), "--kubeconfig", kubeconfig(), "-o", "json"))
        .as("%s", err)
        .isEqualTo(ExitCode.FOUND);

    var found = MAPPER.readTree(out.toString());
    assertThat(found).hasSize(1);
    assertThat(found.at("/0/object").asText()).isEqualTo("NodeConfig twin");
    assertThat(found.at("/0/equal/object").asText()).isEqualTo("failed");
    assertThat(found.at("/0/equal/since").asText()).isNotEmpty();
  }

  /** The operator keeps the record of a failure beside the node's object. */
  @Test
  void aNodeIsNotFoundForTheRecordOfItsOwnFailure() throws Exception {
    var spec = spec();
    store(nodeConfig("failed", spec), "invalid");
    store(nodeConfig("failed-invalid", spec), "");
    store(nodeConfig("twin", respelled(spec)), "provisioned");
    var settings =
        Files.writeString(
            folder.resolve("ownerless.yaml"),
            "apiVersion: shipshape.dev/v1\n"
                + "guards: [{preset: nodeconfig, ownerlessRecords: true}]\n");

    run("scan", "--settings", settings.toString(), "--kubeconfig", kubeconfig(), "-o", "json");

    assertThat(MAPPER.readTree(out.toString()))
        .extracting(hit -> hit.path("object").asText())
        .containsExactly("NodeConfig twin");
  }

  @Test
  void objectsThatAreServedInAnotherVersionAreNotTakenForNone() throws Exception {
    var settings =
        Files.writeString(
            folder.resolve("later.yaml"),
            """
            apiVersion: shipshape.dev/v1
            guards:
            - name: later
              resource: {group: network.schiff.telekom.de, version: v9, plural: nodeconfigs, kind: NodeConfig}
              identity: {content: spec}
              invalidWhen: {field: status.configStatus, equals: invalid}
            """);

    assertThat(run("scan", "--settings", settings.toString(), "--kubeconfig", kubeconfig()))
        .isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(err.toString()).contains("nodeconfigs", "serves them as v1alpha1 only");
  }

  private List<ObjectNode> storeKnownInvalid() throws Exception {
    var known = new ArrayList<ObjectNode>();
    for (var at = 0; at < KNOWN; at++) {
      known.add(spec());
      store(nodeConfig("failed-" + at, known.getLast()), at % 3 == 0 ? "provisioned" : "invalid");
    }
    return known;
  }

  /** Some as known, some that differ from that, some new. */
  private Map<String, JsonNode> manifests(List<ObjectNode> known) {
    var manifests = new TreeMap<String, JsonNode>();
    for (var at = 0; at < MANIFESTS; at++) {
      var name = "worker-%03d".formatted(at);
      var spec = respelled(known.get(random.nextInt(KNOWN)));
      switch (random.nextInt(4)) {
        case 0 -> ((ObjectNode) spec.at("/layer2/0")).put("mtu", 1234);
        case 1 -> spec.set("vrf", spec().path("vrf"));
        default -> {
          // As it was, in other words.
        }
      }
      manifests.put(name, nodeConfig(name, spec));
    }
    return manifests;
  }

  private Map<String, String> review(String... options) throws Exception {
    var arguments =
        new ArrayList<>(List.of("review", folder.resolve("manifests").toString(), "-o", "json"));
    arguments.addAll(List.of(options));
    assertThat(run(arguments.toArray(String[]::new))).as("%s", err).isEqualTo(ExitCode.FOUND);
    var verdicts = new TreeMap<String, String>();
    for (var object : MAPPER.readTree(out.toString()).path("objects")) {
      verdicts.put(
          object.path("object").asText().replace("NodeConfig ", ""),
          object.path("verdict").asText());
    }
    return verdicts;
  }

  private Map<String, String> admission(Map<String, JsonNode> manifests) throws Exception {
    var clock = Clock.systemUTC();
    var authority = Authority.create("test", Duration.ofHours(1), clock);
    var certificates =
        CertificateSource.inMemory(authority, "webhook", List.of("127.0.0.1"), Duration.ofHours(1));
    var settings = WebhookSettings.parse("webhook.yaml", Files.readString(Path.of(settings())));
    try (var client = client();
        var webhook = WebhookServer.start(settings, certificates, client)) {
      Eventually.holds("it is ready", () -> webhook.notReadyReason().isEmpty());
      var bundle = certificates.current().bundle().getBytes(StandardCharsets.UTF_8);
      register(webhook.port(), Base64.getEncoder().encodeToString(bundle));
      var verdicts = new TreeMap<String, String>();
      for (var manifest : manifests.entrySet()) {
        var answer = send("POST", PATH + "?dryRun=All", manifest.getValue().toString());
        assertThat(answer.code()).as(answer.body()).isIn(201, 403);
        verdicts.put(manifest.getKey(), answer.code() == 201 ? "admitted" : "refused");
      }
      return verdicts;
    }
  }

  private String settings() throws Exception {
    var settings =
        """
        apiVersion: shipshape.dev/v1
        listen: {host: 127.0.0.1, port: 0}
        management: {host: 127.0.0.1, port: 0}
        guards: [{preset: nodeconfig}]
        """;
    return Files.writeString(folder.resolve("webhook.yaml"), settings).toString();
  }

  private String kubeconfig() {
    return cluster.kubeconfig().toString();
  }

  private void register(int port, String bundle) throws Exception {
    var configuration =
        MAPPER.readTree(
            """
            {"apiVersion": "admissionregistration.k8s.io/v1",
             "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "review-test"},
             "webhooks": [{"name": "validate.shipshape.dev", "sideEffects": "None",
              "admissionReviewVersions": ["v1"], "failurePolicy": "Fail", "timeoutSeconds": 10,
              "clientConfig": {"url": "https://127.0.0.1:%d/validate", "caBundle": "%s"},
              "rules": [{"apiGroups": ["network.schiff.telekom.de"], "apiVersions": ["v1alpha1"],
               "resources": ["nodeconfigs"], "operations": ["CREATE", "UPDATE"]}]}]}
            """
                .formatted(port, bundle));
    assertThat(send("POST", CONFIGURATIONS, configuration.toString()).code()).isEqualTo(201);
    // In force once the API server has it refuse what is known invalid.
    var known = MAPPER.readTree(send("GET", PATH + "/failed-1", "").body());
    var probe = nodeConfig("probe", (ObjectNode) known.path("spec"));
    Eventually.holds(
        "it refuses", () -> send("POST", PATH + "?dryRun=All", probe.toString()).code() == 403);
  }

  private void store(ObjectNode object, String status) throws Exception {
    var stored = send("POST", PATH, object.toString());
    assertThat(stored.code()).as(stored.body()).isEqualTo(201);
    var changed = (ObjectNode) MAPPER.readTree(stored.body());
    changed.putObject("status").put("configStatus", status);
    var name = changed.at("/metadata/name").asText();
    assertThat(send("PUT", PATH + "/" + name + "/status", changed.toString()).code())
        .isEqualTo(200);
  }

  private static ObjectNode nodeConfig(String name, ObjectNode spec) {
    var object = MAPPER.createObjectNode();
    object.put("apiVersion", "network.schiff.telekom.de/v1alpha1").put("kind", "NodeConfig");
    object.putObject("metadata").put("name", name);
    object.set("spec", spec);
    return object;
  }

  private ObjectNode spec() {
    var spec = MAPPER.createObjectNode();
    var layer2 = spec.putArray("layer2");
    for (var at = 0; at <= 1 + random.nextInt(3); at++) {
      var one = layer2.addObject().put("id", 100 + at).put("mtu", 1500);
      one.put("vni", 10_000 + random.nextInt(9_000));
      one.put("anycastMac", "00:00:5e:00:01:%02x".formatted(random.nextInt(256)));
    }
    var vrfs = spec.putArray("vrf");
    for (var at = 0; at <= random.nextInt(3); at++) {
      var vrf = vrfs.addObject().put("vrf", "vrf" + at).put("seq", 10).put("mtu", 9000);
      for (var list : List.of("import", "export")) {
        var routes = vrf.putArray(list);
        for (var route = 0; route <= random.nextInt(3); route++) {
          routes
              .addObject()
              .put("cidr", "10.%d.0.0/16".formatted(random.nextInt(256)))
              .put("action", "permit")
              .put("seq", 10 * (route + 1));
        }
      }
    }
    spec.putArray("routingTable").addObject().put("tableId", 1000);
    return spec;
  }

  /** The same in other words. */
  private ObjectNode respelled(ObjectNode spec) {
    var other = spec.deepCopy();
    shuffle((ArrayNode) other.path("layer2"));
    shuffle((ArrayNode) other.path("vrf"));
    for (var layer2 : other.path("layer2")) {
      if (random.nextBoolean()) {
        var mac = layer2.path("anycastMac").asText().toUpperCase(Locale.ROOT);
        ((ObjectNode) layer2).put("anycastMac", mac).put("advertiseNeighbors", false);
      }
    }
    for (var vrf : other.path("vrf")) {
      shuffle((ArrayNode) vrf.path("import"));
      if (random.nextBoolean()) {
        ((ObjectNode) vrf).remove("mtu");
      }
    }
    return other;
  }

  private void shuffle(ArrayNode list) {
    var elements = new ArrayList<JsonNode>();
    list.forEach(elements::add);
    Collections.shuffle(elements, random);
    list.removeAll().addAll(elements);
  }

  private record Answer(int code, String body) {}

  private Answer send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(cluster.server() + path))
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    return new Answer(answer.statusCode(), answer.body());
  }

  private KubernetesClient client() {
    return ApiConnection.open(cluster.kubeconfig(), null);
  }
}
