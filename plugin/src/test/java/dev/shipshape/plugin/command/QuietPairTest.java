package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.WebhookServer;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What two replicas ask of the API server where nothing happens, set up as the chart does it. */
@ExtendWith(ControlPlaneExtension.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(ReviewOnClusterTest.NODE_CONFIGS)
class QuietPairTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static final Duration WINDOW = Duration.ofSeconds(15);

  private final ControlPlane cluster;
  private final String name;
  private final KubernetesClient administrator;
  private final List<Runnable> ends = new ArrayList<>();

  @TempDir private Path folder = Path.of("");

  QuietPairTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.name = names.name("quiet");
    this.administrator = ApiConnection.open(cluster.kubeconfig(), null);
    ends.add(administrator::close);
  }

  @AfterEach
  void close() {
    ends.reversed().forEach(Runnable::run);
  }

  @Promise(
      value = "Two idle webhooks send the API server at most 10 requests in 30 s.",
      breaks = "A renewal for each task.")
  @Test
  void aQuietPairAsksNextToNothing() throws Exception {
    var beginning = Files.size(cluster.auditLog());
    define();
    var first = start("a");
    var second = start("b");
    Eventually.holds(
        "both are ready, and trusted", () -> isSettled(first) && isSettled(second) && areTrusted());
    assertThat(asked(beginning)).as("the start is counted").isNotEmpty();
    var asked = askedInAQuarterOfAMinute();
    if (!readsOnly(asked)) {
      // The last write of the start, by the replica that saw the other's late.
      asked = askedInAQuarterOfAMinute();
    }

    assertThat(asked.values().stream().mapToInt(Integer::intValue).sum())
        .as(asked.toString())
        .isLessThanOrEqualTo(5);
    assertThat(readsOnly(asked)).as(asked.toString()).isTrue();
  }

  private static boolean readsOnly(Map<String, Integer> asked) {
    return asked.keySet().stream().allMatch(what -> what.matches("(get|list|watch) .*"));
  }

  private Map<String, Integer> askedInAQuarterOfAMinute() throws IOException {
    var from = Files.size(cluster.auditLog());
    var began = System.nanoTime();
    Eventually.holds(
        "a quarter of a minute has passed", () -> System.nanoTime() - began > WINDOW.toNanos());
    return asked(from);
  }

  private WebhookServer start(String replica) throws Exception {
    var kubeconfig =
        Files.writeString(
            folder.resolve(replica),
            cluster.kubeconfigFor(name + "-" + replica, List.of("system:masters")));
    var client = ApiConnection.open(kubeconfig, null);
    ends.add(client::close);
    var settings =
        WebhookSettings.parse(
            "webhook.yaml",
            """
            apiVersion: shipshape.dev/v1
            listen: {host: 127.0.0.1, port: 0}
            management: {host: 127.0.0.1, port: 0}
            registration: {configMap: %1$s, service: shipshape-webhook}
            certificates:
              {source: self-managed, names: [127.0.0.1], configurations: %1$s}
            guards: [{preset: nodeconfig}]
            """
                .formatted(name));
    var server = WebhookServer.start(settings, null, client);
    ends.add(server::close);
    return server;
  }

  private static boolean isSettled(WebhookServer server) {
    return server.notReadyReason().isEmpty();
  }

  private void define() throws IOException {
    administrator.resource(Definitions.nodeConfigs()).serverSideApply();
    var definition = Path.of("../chart/files/knowninvalidconfigurations.yaml");
    administrator.load(Files.newInputStream(definition)).serverSideApply();
    Eventually.holds(
        "NodeConfigs are served",
        () -> administrator.raw("/apis/network.schiff.telekom.de/v1alpha1/nodeconfigs") != null);
    create(
        "/api/v1/namespaces",
        "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': '%s'}}".formatted(name));
    create(
        "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
        configuration("Mutating"));
    var wish = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
    wish.putObject("metadata").put("name", name);
    wish.putObject("data").put("validating.yaml", configuration("Validating").replace('\'', '"'));
    administrator.raw("/api/v1/namespaces/default/configmaps", "POST", wish.toString());
  }

  private String configuration(String kind) {
    return """
    {'apiVersion': 'admissionregistration.k8s.io/v1', 'kind': '%2$sWebhookConfiguration',
     'metadata': {'name': '%1$s'},
     'webhooks': [{'name': 'entry.shipshape.dev', 'admissionReviewVersions': ['v1'],
       'sideEffects': 'None', 'failurePolicy': 'Ignore',
       'clientConfig': {'service': {'name': 'shipshape-webhook', 'namespace': 'default'}},
       'rules': [{'apiGroups': ['nowhere.example'], 'apiVersions': ['*'],
         'operations': ['CREATE'], 'resources': ['nothing']}]}]}
    """
        .formatted(name, kind);
  }

  private void create(String path, String object) {
    administrator.raw(path, "POST", object.replace('\'', '"'));
  }

  private boolean areTrusted() {
    return Stream.of("validating", "mutating")
        .map("/apis/admissionregistration.k8s.io/v1/%swebhookconfigurations/"::formatted)
        .map(path -> administrator.raw(path + name))
        .allMatch(found -> found != null && found.contains("caBundle"));
  }

  /** How often the pair has asked for what since then, by the API server's own audit log. */
  private Map<String, Integer> asked(long from) {
    var asked = new TreeMap<String, Integer>();
    try (var log = Files.newByteChannel(cluster.auditLog())) {
      log.position(from);
      var text = new String(Channels.newInputStream(log).readAllBytes(), StandardCharsets.UTF_8);
      // The last line may be half written.
      for (var line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        if (line.contains("\"" + name + "-")) {
          count(JSON.readTree(line), asked);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return asked;
  }

  private void count(JsonNode event, Map<String, Integer> asked) {
    var isOurs = event.at("/user/username").asText().startsWith(name + "-");
    if (isOurs && event.path("stage").asText().equals("ResponseComplete")) {
      var resource = event.at("/objectRef/resource").asText("");
      asked.merge(
          event.path("verb").asText() + " " + (resource.isEmpty() ? "clock" : resource),
          1,
          Integer::sum);
    }
  }
}
