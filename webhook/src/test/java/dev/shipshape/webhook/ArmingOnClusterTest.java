package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.arming.Proof;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two replicas, with the rights that the chart gives, write the validating configuration. What it
 * guards no cluster has, and which replicas are ready is written by hand.
 */
@Execution(ExecutionMode.CONCURRENT)
// A proof needs the definition, and reaches every webhook for proofs.
@ResourceLock(Api.KNOWN_INVALID)
@ExtendWith(ControlPlaneExtension.class)
class ArmingOnClusterTest {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  private Api api;
  private String name;
  private KubernetesClient client;
  private CapturedLog log;
  private WebhookServer one;
  private WebhookServer two;
  private final Map<String, Integer> ports = new TreeMap<>();

  @BeforeEach
  void start(ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    api = Api.asAdministrator(cluster);
    name = names.namespace("arming");
    grant();
    InstalledWebhook.defineKnownInvalid(api);
    api.post(
            core("services"),
            json(
                """
                {metadata: {name: 'shipshape-webhook'},
                 spec: {ports: [{name: 'https', port: 443, targetPort: 8443}]}}
                """))
        .expect(201);
    var kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(kubeconfig, cluster.kubeconfigForServiceAccount(name, "webhook"));
    client = ApiConnection.open(kubeconfig, null);
    log = new CapturedLog();
    one = replica();
    two = replica();
    api.post(REGISTRATION + "mutatingwebhookconfigurations", mutating()).expect(201);
    eventually(() -> assertThat(mutatingBundle()).isNotEmpty());
  }

  @AfterEach
  void close() throws Exception {
    api.delete(REGISTRATION + "mutatingwebhookconfigurations/" + name);
    api.delete(path());
    one.close();
    two.close();
    log.close();
    client.close();
    api.close();
  }

  @Promise(
      value = "A guard is armed only if two replicas on two nodes are ready.",
      breaks = "Arming by the chart's manifest.")
  @Test
  void aGuardIsArmedOnceTwoReplicasOnTwoNodesCanBeAskedAndDisarmedWhenThatIsNoLongerWished()
      throws Exception {
    render(true);
    becomes("/audit", "Ignore");
    ready("one", "node-1", one.port());
    ready("two", "node-1", two.port());
    render(true, 6);
    eventually(() -> assertThat(entry(0).path("timeoutSeconds").asInt()).isEqualTo(6));
    assertThat(entry(0).path("failurePolicy").asText()).as("on one node").isEqualTo("Ignore");
    assertThat(Metric.sum(one.managementPort(), "shipshape_webhook_arming_waiting")).isPositive();

    ready("two", "node-2", two.port());

    becomes("/validate", "Fail");
    assertThat(entry(1).at("/clientConfig/service/path").asText()).isEqualTo("/validate-override");
    assertThat(entry(0).at("/clientConfig/caBundle").asText()).isEqualTo(mutatingBundle());

    eventually(
        () ->
            assertThat(Metric.sum(one.managementPort(), "shipshape_webhook_arming_waiting"))
                .isZero());

    lost();
    render(true, 7);
    eventually(() -> assertThat(entry(0).path("timeoutSeconds").asInt()).isEqualTo(7));
    assertThat(entry(0).path("failurePolicy").asText()).as("without replicas").isEqualTo("Fail");

    render(false);

    becomes("/audit", "Ignore");
  }

  @Promise(
      value = "A guard is armed only after the API server has called the replicas.",
      breaks = "Accepting a self-test inside the pod as proof.")
  @Test
  void whereTheApiServerCannotCallTheReplicasNothingIsArmed(ControlPlane cluster) throws Exception {
    ready("one", "node-1", one.managementPort());
    ready("two", "node-2", two.managementPort());
    render(true);
    becomes("/audit", "Ignore");
    eventually(() -> assertThat(log.lines("not armed", "does not reach")).isNotEmpty());
    assertThat(entry(0).path("failurePolicy").asText()).isEqualTo("Ignore");
    assertThat(called()).isZero();
    assertThat(attempt(cluster)).hasValueSatisfying(why -> assertThat(why).contains("not reach"));

    ready("one", "node-1", one.port());
    ready("two", "node-2", two.port());

    becomes("/validate", "Fail");
    eventually(() -> assertThat(called()).isEqualTo(1));
    assertThat(attempt(cluster)).isEmpty();
  }

  /** Its pods, of an upgrade that adds the guard, are not ready yet. */
  @ParameterizedTest
  @ValueSource(strings = {"others", "copies"})
  void aGuardIsNotArmedByAReplicaThatDoesNotHaveItOrOnlyStamps(String resource) throws Exception {
    ready("one", "node-1", one.port());
    ready("two", "node-2", two.port());
    render(true, 5, resource);

    eventually(
        () ->
            assertThat(
                    log.lines("not armed", "no guard for /apis/arming.example.com/v1/" + resource))
                .isNotEmpty());
    assertThat(entry(0).path("failurePolicy").asText()).isEqualTo("Ignore");
  }

  /** Its pods are those of before an upgrade that changes the guard's resource. */
  @Test
  void anArmedGuardKeepsItsResourceUntilAReplicaHasTheNewOne() throws Exception {
    arm();

    render(true, 5, "others");

    eventually(
        () ->
            assertThat(
                    log.lines(
                        "it keeps its earlier rules", "no guard for /apis/arming.example.com"))
                .isNotEmpty());
    assertThat(entry(0).at("/rules/0/resources/0").asText()).isEqualTo("things");
    assertThat(entry(0).path("failurePolicy").asText()).isEqualTo("Fail");

    // As a new replica does.
    var registered = api.get(path()).object();
    for (var entry : List.of("/webhooks/0", "/webhooks/1")) {
      registered.withArray(entry + "/rules/0/resources").removeAll().add("others");
    }
    api.put(path(), registered).expect(200);

    eventually(
        () ->
            assertThat(log.lines("writes of guarded objects may fail", "no guard for /apis/"))
                .isNotEmpty());
  }

  @Test
  void nothingIsArmedAnewWhileAReplicaCannotReadAllItJudgesBy() throws Exception {
    one.close();
    two.close();
    var role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/" + name;
    var granted = api.get(role).object();
    var without = granted.deepCopy();
    ((ArrayNode) without.at("/rules/4/verbs")).removeAll().add("create");
    api.put(role, without).expect(200);
    one = replica();
    two = replica();
    ready("one", "node-1", one.port());
    ready("two", "node-2", two.port());
    render(true);
    eventually(() -> assertThat(called()).isEqualTo(1));
    eventually(() -> assertThat(log.lines("not armed", "knowninvalidconfigurations")).isNotEmpty());
    assertThat(entry(0).path("failurePolicy").asText()).isEqualTo("Ignore");

    ((ObjectNode) granted.path("metadata")).remove("resourceVersion");
    api.put(role, granted).expect(200);

    becomes("/validate", "Fail");
  }

  @Test
  void thatAnotherWebhookRefusesAllWritesIsTold(ControlPlane cluster) throws Exception {
    arm();
    // Others' requests of proofs, and all other writes, are left alone.
    var other =
        json(
            """
            {metadata: {name: '%1$s-other'}, webhooks: [{name: 'other.example.com',
              admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Fail',
              clientConfig: {service: {name: 'is-not-there', namespace: '%1$s'}},
              matchConditions: [{name: 'by-us', expression:
                "object.metadata.name.startsWith('proof.')\
                 && !request.userInfo.username.startsWith('system:serviceaccount:')"}],
              rules: [{apiGroups: ['shipshape.dev'], apiVersions: ['*'],
                       resources: ['knowninvalidconfigurations'], operations: ['CREATE']}]}]}
            """
                .formatted(name));
    api.post(REGISTRATION + "validatingwebhookconfigurations", other).expect(201);
    try {
      eventually(
          () ->
              assertThat(attempt(cluster))
                  .hasValueSatisfying(why -> assertThat(why).contains("500", "is-not-there")));
    } finally {
      api.delete(REGISTRATION + "validatingwebhookconfigurations/" + name + "-other").expect(200);
    }
  }

  private Optional<String> attempt(ControlPlane cluster) {
    try (var administrator = ApiConnection.open(cluster.kubeconfig(), null)) {
      return Proof.attempt(administrator, name);
    }
  }

  @Test
  void thatTheApiServerNoLongerCallsIsSeenBeforeAnybodyWrites() throws Exception {
    // Both are called at one of them, whose end cuts the API server's connections.
    ready("one", "node-1", two.port());
    ready("two", "node-2", two.port());
    render(true);
    becomes("/validate", "Fail");
    eventually(() -> assertThat(called()).isEqualTo(1));

    two.close();
    two = replica();

    eventually(() -> assertThat(called()).isZero());
    eventually(() -> assertThat(log.lines("armed, but", "does not reach")).isNotEmpty());
    assertThat(entry(0).path("failurePolicy").asText()).isEqualTo("Fail");
  }

  @Promise(
      value = "While the ConfigMap `shipshape-disarmed` exists, no guard is armed.",
      breaks = "A replica that arms it again.")
  @Test
  void whatIsChangedOrDeletedComesBackUnlessItIsDisarmed() throws Exception {
    arm();
    var changed = api.get(path()).object();
    ((ObjectNode) changed.at("/webhooks/0")).put("failurePolicy", "Ignore");
    api.put(path(), changed).expect(200);
    becomes("/validate", "Fail");
    api.delete(path()).expect(200);
    becomes("/validate", "Fail");

    api.post(core("configmaps"), json("{metadata: {name: 'shipshape-disarmed'}}")).expect(201);

    eventually(() -> assertThat(log.lines("nothing is registered: disarmed by")).isNotEmpty());
    eventually(() -> api.get(path()).expect(404));
    always(() -> api.get(path()).expect(404));
    render(true, 6);
    api.delete(core("configmaps/shipshape-disarmed")).expect(200);
    becomes("/validate", "Fail");
  }

  /** As of a connection that was lost without a word; the library notices it after minutes. */
  @Test
  void aReplicaWhoseWatchesAreSilentUndoesNothing(ControlPlane cluster, @TempDir Path folder)
      throws Exception {
    arm();
    two.close();
    try (var silent = FaultyApi.start(cluster, "system:serviceaccount:" + name + ":webhook");
        var its = InstalledWebhook.clientAt(silent.address().toString(), folder)) {
      silent.always(
          request -> request.contains("/configmaps?") && request.contains("watch=true"),
          silent.ignore());
      two = replica(its);
      ready("two", "node-2", two.port());
      eventually(
          () ->
              assertThat(Metric.sum(two.managementPort(), "shipshape_webhook_called"))
                  .isEqualTo(1));

      render(false);
      becomes("/audit", "Ignore");
      always(() -> assertThat(entry(0).path("failurePolicy").asText()).isEqualTo("Ignore"));

      two.close();
      api.post(core("configmaps"), json("{metadata: {name: 'shipshape-disarmed'}}")).expect(201);
      eventually(() -> api.get(path()).expect(404));
      try (var later = new CapturedLog()) {
        two = replica(its);
        eventually(
            () -> assertThat(later.lines("nothing is registered: disarmed by")).isNotEmpty());
      }

      api.delete(core("configmaps/shipshape-disarmed")).expect(200);
      becomes("/audit", "Ignore");
      var uid = api.get(path()).body().at("/metadata/uid");
      always(() -> assertThat(api.get(path()).body().at("/metadata/uid")).isEqualTo(uid));
    }
  }

  /** Then its rules may see nothing, while all else is green. */
  @Test
  void thatOthersChangeItAgainAndAgainIsTold() throws Exception {
    arm();

    eventually(
        () -> {
          var changed = api.get(path()).object();
          ((ObjectNode) changed.at("/webhooks/0"))
              .set("objectSelector", json("{matchLabels: {a: 'b'}}"));
          api.put(path(), changed);
          assertThat(log.lines("registration: others change", "again and again")).isNotEmpty();
          assertThat(
                  Metric.sum(one.managementPort(), "shipshape_webhook_arming_waiting")
                      + Metric.sum(two.managementPort(), "shipshape_webhook_arming_waiting"))
              .isPositive();
        });
  }

  /** There, no ConfigMap can be made that disarms. */
  @Test
  void whatIsDeletedStaysSoInANamespaceThatEnds() throws Exception {
    arm();
    var rights = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + name;
    var needed =
        List.of(
            core("configmaps/shipshape-guard"),
            rights + "/roles/" + name,
            rights + "/rolebindings/" + name);
    for (var each : needed) {
      api.merge(each, json("{metadata: {finalizers: ['shipshape.dev/test']}}")).expect(200);
    }
    api.delete("/api/v1/namespaces/" + name).expect(200);

    api.delete(path()).expect(200);

    eventually(() -> assertThat(log.lines(name, "nothing is armed anew")).isNotEmpty());
    api.get(path()).expect(404);
    for (var each : needed) {
      api.merge(each, json("{metadata: {finalizers: []}}")).expect(200);
    }
  }

  @Test
  void itGoesWithTheMutatingConfiguration() throws Exception {
    arm();

    api.delete(REGISTRATION + "mutatingwebhookconfigurations/" + name).expect(200);

    eventually(() -> api.get(path()).expect(404));
    eventually(
        () -> {
          var port = one.managementPort();
          assertThat(Metric.sum(port, "shipshape_webhook_arming_waiting")).isPositive();
          assertThat(Metric.sum(port, "shipshape_webhook_called")).isZero();
        });
  }

  @Test
  void whereItIsNoLongerSaidWhatToGuardNothingIs() throws Exception {
    arm();

    api.delete(core("configmaps/shipshape-guard")).expect(200);

    eventually(() -> api.get(path()).expect(404));
  }

  /** As if a webhook is run by hand with the settings of a release in another namespace. */
  @Test
  void aConfigurationOfAnotherNamespaceIsLeftAlone() throws Exception {
    var others = (ObjectNode) mutating();
    others
        .withObject("/webhooks/0/clientConfig/service")
        .put("namespace", "elsewhere")
        .put("path", "/validate");

    api.post(REGISTRATION + "validatingwebhookconfigurations", others).expect(201);

    eventually(() -> assertThat(log.lines("left alone", "in namespace elsewhere")).isNotEmpty());
    api.get(path()).expect(200);
  }

  @Test
  void bothConfigurationsGoWithTheNamespaceThoughNoReplicaIsLeft() throws Exception {
    arm();
    var mutating = REGISTRATION + "mutatingwebhookconfigurations/" + name;
    eventually(
        () ->
            assertThat(api.get(mutating).body().at("/metadata/ownerReferences/0/kind").asText())
                .isEqualTo("Namespace"));
    one.close();
    two.close();

    api.delete("/api/v1/namespaces/" + name).expect(200);

    eventually(() -> api.get(path()).expect(404));
    api.get(mutating).expect(404);
  }

  /** It prunes nothing that has an owner. */
  @Test
  void whatArgoCdTracksGetsNoOwner() throws Exception {
    var mutating = REGISTRATION + "mutatingwebhookconfigurations/" + name;
    eventually(
        () ->
            assertThat(api.get(mutating).body().at("/metadata/ownerReferences/0/kind").asText())
                .isEqualTo("Namespace"));
    var tracked = (ObjectNode) mutating();
    tracked
        .withObject("/metadata/annotations")
        .put("argocd.argoproj.io/tracking-id", "shipshape:admissionregistration.k8s.io/x:y/z");
    api.delete(mutating).expect(200);
    api.post(REGISTRATION + "mutatingwebhookconfigurations", tracked).expect(201);
    render(true);

    becomes("/audit", "Ignore");
    render(true, 6);
    eventually(() -> assertThat(entry(0).path("timeoutSeconds").asInt()).isEqualTo(6));

    assertThat(api.get(mutating).body().at("/metadata/ownerReferences").isMissingNode()).isTrue();
  }

  /** For longer than the replicas take to write. */
  private static void always(Eventually.Attempt check) throws Exception {
    for (var from = System.nanoTime(); System.nanoTime() - from < 1_500_000_000L; ) {
      check.run();
      Thread.sleep(50);
    }
  }

  private double called() throws Exception {
    return Metric.sum(one.managementPort(), "shipshape_webhook_called");
  }

  private void arm() throws Exception {
    ready("one", "node-1", one.port());
    ready("two", "node-2", two.port());
    render(true);
    becomes("/validate", "Fail");
  }

  private void becomes(String path, String failurePolicy) throws Exception {
    eventually(
        () -> {
          assertThat(entry(0).at("/clientConfig/service/path").asText()).isEqualTo(path);
          assertThat(entry(0).path("failurePolicy").asText()).isEqualTo(failurePolicy);
        });
  }

  private JsonNode entry(int index) throws Exception {
    return api.get(path()).body().at("/webhooks/" + index);
  }

  private String mutatingBundle() throws Exception {
    return api.get(REGISTRATION + "mutatingwebhookconfigurations/" + name)
        .body()
        .at("/webhooks/0/clientConfig/caBundle")
        .asText();
  }

  private String path() {
    return REGISTRATION + "validatingwebhookconfigurations/" + name;
  }

  private String core(String resource) {
    return "/api/v1/namespaces/%s/%s".formatted(name, resource);
  }

  private WebhookServer replica() throws Exception {
    return replica(client);
  }

  private WebhookServer replica(KubernetesClient its) throws Exception {
    var settings =
        WebhookSettings.parse(
            "webhook.yaml",
            """
            apiVersion: shipshape.dev/v1
            listen: {port: 0}
            management: {host: 127.0.0.1, port: 0}
            registration:
              {configMap: shipshape-guard, service: shipshape-webhook, proofEvery: 1s}
            certificates: {source: self-managed, configurations: %1$s}
            guards:
            - name: things
              resource: {group: arming.example.com, version: v1, plural: things, kind: Thing}
              identity: {content: spec}
              invalidWhen: {field: status.phase, equals: bad}
            - name: copies
              resource: {group: arming.example.com, version: v1, plural: copies, kind: Copy}
              identity: {content: spec}
              stampOnly: true
            """
                .formatted(name));
    return WebhookServer.start(
        settings, null, its.adapt(NamespacedKubernetesClient.class).inNamespace(name));
  }

  private JsonNode mutating() {
    return json(
        """
        {metadata: {name: '%1$s'}, webhooks: [{name: 'mutate.shipshape.dev',
          admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Ignore',
          clientConfig: {service: {name: 'shipshape-webhook', namespace: '%1$s', path: '/mutate'}},
          rules: [{apiGroups: ['arming.example.com'], apiVersions: ['v1'], resources: ['things'],
                   operations: ['CREATE']}]}]}
        """
            .formatted(name));
  }

  private void render(boolean armed) throws Exception {
    render(armed, 5);
  }

  private void render(boolean armed, int timeout) throws Exception {
    render(armed, timeout, "things");
  }

  /** As the chart renders it. */
  private void render(boolean armed, int timeout, String resource) throws Exception {
    var entries = new StringBuilder();
    for (var endpoint : new String[] {"validate", "validate-override"}) {
      entries.append(
          """
          - name: things.%1$s.shipshape.dev
            admissionReviewVersions: [v1]
            sideEffects: None
            matchPolicy: Equivalent
            failurePolicy: %2$s
            timeoutSeconds: %3$d
            clientConfig:
              service: {name: shipshape-webhook, namespace: %4$s, port: 443, path: /%5$s}
            namespaceSelector: {}
            objectSelector: {}
            rules:
            - apiGroups: [arming.example.com]
              apiVersions: [v1]
              resources: [%6$s]
              operations: [CREATE, UPDATE]
              scope: Cluster
          """
              .formatted(
                  endpoint,
                  armed ? "Fail" : "Ignore",
                  timeout,
                  name,
                  armed ? endpoint : "audit",
                  resource));
    }
    entries.append(
        """
        - name: proof.shipshape.dev
          admissionReviewVersions: [v1]
          sideEffects: None
          failurePolicy: Ignore
          clientConfig:
            service: {name: shipshape-webhook, namespace: %1$s, port: 443, path: /proof}
          matchConditions:
          - name: dry-run-of-a-proof
            expression: has(request.dryRun) && request.dryRun && object.metadata.name.startsWith('proof.')
          rules:
          - apiGroups: [shipshape.dev]
            apiVersions: [v1alpha1]
            resources: [knowninvalidconfigurations]
            operations: [CREATE]
            scope: Cluster
        """
            .formatted(name));
    var manifest =
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: %s, labels: {app.kubernetes.io/part-of: shipshape}}
        webhooks:
        """
                .formatted(name)
            + entries;
    var rendered = (ObjectNode) json("{apiVersion: 'v1', kind: 'ConfigMap', data: {nodes: '2'}}");
    rendered.withObject("/metadata").put("name", "shipshape-guard");
    rendered.withObject("/data").put("validating.yaml", manifest);
    api.apply(core("configmaps/shipshape-guard"), rendered);
  }

  private void ready(String pod, String node, int port) throws Exception {
    api.apply(
        "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices/%s".formatted(name, pod),
        json(
            """
            {apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4',
             metadata: {name: '%1$s', labels: {'kubernetes.io/service-name': 'shipshape-webhook'}},
             ports: [{name: 'https', port: %2$d}],
             endpoints: [{addresses: ['%3$s'], conditions: {ready: true}, nodeName: '%4$s',
                          targetRef: {kind: 'Pod', name: '%1$s'}}]}
            """
                .formatted(pod, port, address().getHostAddress(), node)));
    ports.put(pod, port);
    writeEndpoints();
  }

  /** Older API servers find what they call by Endpoints, newer ones by slices. */
  private void writeEndpoints() throws Exception {
    var subsets = new ArrayList<String>();
    for (var port : ports.values()) {
      subsets.add(
          "{addresses: [{ip: '%s'}], ports: [{name: 'https', port: %d}]}"
              .formatted(address().getHostAddress(), port));
    }
    api.apply(
        core("endpoints") + "/shipshape-webhook",
        json(
            """
            {apiVersion: 'v1', kind: 'Endpoints',
             metadata: {name: 'shipshape-webhook',
                        labels: {'endpointslice.kubernetes.io/skip-mirror': 'true'}},
             subsets: %s}
            """
                .formatted(subsets)));
  }

  private void lost() throws Exception {
    ports.clear();
    writeEndpoints();
    for (var pod : new String[] {"one", "two"}) {
      api.delete("/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices/%s".formatted(name, pod))
          .expect(200);
    }
  }

  /** The API server takes no loopback address for an endpoint's. */
  private static InetAddress address() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
        .findFirst()
        .orElseThrow();
  }

  private void grant() throws Exception {
    grant(
        "Role",
        "/apis/rbac.authorization.k8s.io/v1/namespaces/" + name,
        """
        {apiGroups: [''], resources: ['configmaps'],
         resourceNames: ['shipshape-guard', 'shipshape-disarmed'], verbs: ['get', 'list', 'watch']},
        {apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch']},
        {apiGroups: [''], resources: ['secrets'], verbs: ['create']},
        {apiGroups: [''], resources: ['secrets'],
         resourceNames: ['shipshape-webhook-certificates'],
         verbs: ['get', 'list', 'watch', 'update']}
        """);
    grant(
        "ClusterRole",
        "/apis/rbac.authorization.k8s.io/v1",
        """
        {apiGroups: ['admissionregistration.k8s.io'],
         resources: ['mutatingwebhookconfigurations'], resourceNames: ['%1$s'],
         verbs: ['get', 'list', 'watch', 'patch', 'delete']},
        {apiGroups: ['admissionregistration.k8s.io'],
         resources: ['validatingwebhookconfigurations'], resourceNames: ['%1$s'],
         verbs: ['get', 'list', 'watch', 'update', 'delete']},
        {apiGroups: [''], resources: ['namespaces'], resourceNames: ['%1$s'], verbs: ['get']},
        {apiGroups: ['admissionregistration.k8s.io'],
         resources: ['validatingwebhookconfigurations'], verbs: ['create']},
        {apiGroups: ['shipshape.dev'], resources: ['knowninvalidconfigurations'],
         verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete']},
        {apiGroups: ['arming.example.com'], resources: ['things'], verbs: ['list', 'watch']}
        """
            .formatted(name));
  }

  private void grant(String kind, String path, String rules) throws Exception {
    var plural = path + "/" + kind.toLowerCase(Locale.ROOT);
    api.post(plural + "s", json("{metadata: {name: '%s'}, rules: [%s]}".formatted(name, rules)))
        .expect(201);
    api.post(
            plural + "bindings",
            json(
                """
                {metadata: {name: '%1$s'},
                 roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: '%2$s', name: '%1$s'},
                 subjects: [{kind: 'ServiceAccount', name: 'webhook', namespace: '%1$s'}]}
                """
                    .formatted(name, kind)))
        .expect(201);
  }
}
