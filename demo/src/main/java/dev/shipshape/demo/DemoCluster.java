package dev.shipshape.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.plugin.release.Console;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** The control plane and its administrator, who says aloud what is applied. */
final class DemoCluster implements AutoCloseable {
  private static final String DEPLOYMENT =
      "/apis/apps/v1/namespaces/services/deployments/cray-cfs-operator";
  private static final String SESSIONS = "/apis/cms.cray.com/v1/namespaces/services/cfsessions";
  private static final String PODS = "/api/v1/namespaces/services/pods/";
  private static final String NODE_CONFIGS =
      "/apis/network.schiff.telekom.de/v1alpha1/nodeconfigs/";

  private final Console console;
  private final ControlPlane plane;
  private final HttpClient http;
  private final ApiServer api;

  private DemoCluster(Console console, ControlPlane plane) {
    this.console = console;
    this.plane = plane;
    this.http = plane.adminHttpClient();
    this.api = new ApiServer(plane.server(), http);
  }

  /** Starts the control plane. */
  static DemoCluster start(Console console) {
    var programs = Programs.find(System.getenv(), console::progress);
    var plane = ControlPlane.start(programs, console::progress);
    console.result("etcd, API server and controller manager run at " + plane.server());
    return new DemoCluster(console, plane);
  }

  /** Definitions, namespaces, and what the two servers may do. */
  void prepare() {
    console.heading("2. The custom resource definitions, and what the two servers may do");
    apply("nodeconfigs-crd.yaml", Definitions.nodeConfigs());
    apply("cfsessions-crd.yaml", Definitions.sessions());
    apply("knowninvalidconfigurations.yaml");
    Waiting.until(console, "the definitions are served", this::definitionsAreServed);
    apply("access.yaml");
    startOperator();
  }

  /** Starts the webhook with its own rights, and points the API server at it. */
  DemoWebhook startWebhook(Clock clock) {
    var webhook = DemoWebhook.start(kubeconfigOf("webhook"), clock);
    Waiting.until(console, "the webhook is ready", webhook::isReady);
    apply(
        "webhooks.yaml",
        Map.of("webhook", "https://127.0.0.1:" + webhook.port(), "caBundle", webhook.caBundle()));
    return webhook;
  }

  /** Starts the janitor with its own rights. */
  DemoJanitor startJanitor(Clock clock) {
    return DemoJanitor.start(plane.state(), kubeconfigOf("janitor"), clock);
  }

  List<ApiServer.Outcome> apply(String file) {
    return apply(file, Map.of());
  }

  List<ApiServer.Outcome> apply(String file, Map<String, String> values) {
    return apply(file, Resources.read(file, values));
  }

  private List<ApiServer.Outcome> apply(String file, String yaml) {
    console.command("kubectl apply --server-side -f " + file);
    var outcomes = api.apply(file, yaml);
    outcomes.forEach(outcome -> console.result(outcome.shown()));
    return outcomes;
  }

  /** Creates one session, and does not talk about it. */
  void create(BatcherSessions.Made session) {
    var outcome = api.create(session.object());
    if (!outcome.accepted()) {
      throw new IllegalStateException(
          "could not create session %s: %s".formatted(session.name(), outcome.shown()));
    }
  }

  /** The names of the sessions that are there now. */
  List<String> sessions() {
    var names = new ArrayList<String>();
    api.get(SESSIONS).path("items").forEach(item -> names.add(name(item)));
    return names;
  }

  /** The uid of the demo's node. */
  String nodeUid() {
    return api.get("/api/v1/nodes/worker-1").at("/metadata/uid").asText();
  }

  /** The stored annotations of a node's configuration, JSON. */
  String annotations(String name) {
    return api.get(NODE_CONFIGS + name).at("/metadata/annotations").toString();
  }

  /** The stored stamp of a node's configuration. */
  String storedHash(String name) {
    return api.get(NODE_CONFIGS + name)
        .at("/metadata/annotations")
        .path("shipshape.dev/config-hash")
        .asText();
  }

  /** When the operator was last restarted, as kubectl would show it; empty if never. */
  String restartedAt() {
    return api.get(DEPLOYMENT)
        .at("/spec/template/metadata/annotations")
        .path("kubectl.kubernetes.io/restartedAt")
        .asText();
  }

  /** Counts every change of the operator's Deployment but those of its metadata and status. */
  long operatorGeneration() {
    return api.get(DEPLOYMENT).at("/metadata/generation").asLong();
  }

  /**
   * How long the newest of the operator's pods has been there. Its ReplicaSet, from which the
   * cooldown counts, is older, and may be younger than the Deployment by seconds.
   */
  Duration operatorAge(Instant now) {
    var newest =
        StreamSupport.stream(operatorPods().spliterator(), false)
            .map(pod -> Instant.parse(pod.at("/metadata/creationTimestamp").asText()))
            .max(Comparator.naturalOrder())
            .orElse(now);
    return Duration.between(newest, now);
  }

  /** The operator, and what a kubelet would report of its pod, for there is none here. */
  private void startOperator() {
    apply("operator.yaml");
    Waiting.until(console, "the operator's pod is there", () -> !operatorPods().isEmpty());
    for (var pod : operatorPods()) {
      api.applyStatus(
          PODS + name(pod), Resources.read("pod-status.yaml", Map.of("pod", name(pod))));
    }
    console.result("its pod is marked as running: there is no kubelet here to run it");
  }

  private JsonNode operatorPods() {
    return api.get(PODS + "?labelSelector=app.kubernetes.io/name=cray-cfs-operator").path("items");
  }

  /** The administrator's kubeconfig. */
  Path kubeconfig() {
    return plane.kubeconfig();
  }

  private Path kubeconfigOf(String serviceAccount) {
    var file = plane.state().resolve(serviceAccount + ".kubeconfig");
    try {
      return Files.writeString(
          file, plane.kubeconfigForServiceAccount("shipshape", serviceAccount));
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  @Override
  public void close() {
    http.close();
    plane.close();
  }

  private boolean definitionsAreServed() {
    return api.serves("network.schiff.telekom.de/v1alpha1")
        && api.serves("cms.cray.com/v1")
        && api.serves("shipshape.dev/v1alpha1");
  }

  private static String name(JsonNode item) {
    return item.at("/metadata/name").asText();
  }
}
