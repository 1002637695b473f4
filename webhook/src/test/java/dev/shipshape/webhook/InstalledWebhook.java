package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.identity.ConfigHash;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The webhook as it is used: running with no more rights than it needs, and registered with a real
 * API server by both configurations.
 */
final class InstalledWebhook {
  static final String USER = "system:serviceaccount:shipshape:";

  /** The API server itself decides who may. */
  private static final String MAY_OVERRIDE =
      """
      has(object.metadata.annotations)\
       && 'shipshape.dev/allow-known-invalid' in object.metadata.annotations\
       && authorizer.group('shipshape.dev').resource(request.resource.resource)\
      .check('override').allowed()\
      """;

  private static final String STAMPED =
      "'nodeconfigs', 'networkconfigrevisions', 'nodenetworkconfigs'";

  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  private final Api api;
  private final WebhookServer server;
  private final KubernetesClient client;
  private final String name;

  private InstalledWebhook(Api api, WebhookServer server, KubernetesClient client, String name) {
    this.api = api;
    this.server = server;
    this.client = client;
    this.name = name;
  }

  /** Everything that it does by default, for the presets. */
  static InstalledWebhook install(ControlPlane cluster, Api api, Path folder, String name)
      throws Exception {
    return install(cluster, api, folder, name, "", "");
  }

  /**
   * @param settings more of {@code webhook.yaml}, or other guards
   * @param mutated more rules of the mutating webhook, JSON, each after a comma
   */
  static InstalledWebhook install(
      ControlPlane cluster, Api api, Path folder, String name, String settings, String mutated)
      throws Exception {
    return install(cluster, api, folder, name, settings, mutated, true);
  }

  /** With the guard not armed: registered as by the chart with {@code guard.armed=false}. */
  static InstalledWebhook installUnarmed(ControlPlane cluster, Api api, Path folder, String name)
      throws Exception {
    return install(cluster, api, folder, name, "", "", false);
  }

  private static InstalledWebhook install(
      ControlPlane cluster,
      Api api,
      Path folder,
      String name,
      String settings,
      String mutated,
      boolean armed)
      throws Exception {
    define(api);
    grant(api, USER + name);
    var certificates = TestingCertificates.forLoopback();
    var client = client(cluster, folder, USER + name);
    var parsed = settings(settings);
    var server = WebhookServer.start(parsed, certificates, client);
    var webhook = new InstalledWebhook(api, server, client, name);
    eventually(() -> assertThat(server.notReadyReason()).isEmpty());
    var judged =
        parsed.guards().stream()
            .filter(guard -> !guard.stampOnly())
            .map(guard -> "'%s'".formatted(guard.resource().plural()))
            .collect(Collectors.joining(","));
    webhook.register(certificates.current().bundle(), judged, mutated, armed);
    return webhook;
  }

  static WebhookSettings settings() throws Exception {
    return settings("");
  }

  static WebhookSettings settings(String more) throws Exception {
    var guards =
        more.contains("guards:") ? "" : "guards: [{preset: nodeconfig}, {preset: t-caas}]\n";
    return onAnyPort(guards + more);
  }

  /** Settings with nothing but the addresses besides. */
  static WebhookSettings onAnyPort(String settings) throws Exception {
    return WebhookSettings.parse(
        "webhook.yaml",
        """
        apiVersion: shipshape.dev/v1
        listen: {host: 127.0.0.1, port: 0}
        management: {host: 127.0.0.1, port: 0}
        """
            + settings);
  }

  static KubernetesClient client(ControlPlane cluster, Path folder, String user) throws Exception {
    var kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(kubeconfig, cluster.kubeconfigFor(user, List.of()));
    return ApiConnection.open(kubeconfig, null);
  }

  /** One that asks at this address, as whomever that takes it for. */
  static KubernetesClient clientAt(String server, Path folder) throws Exception {
    var kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(kubeconfig, Kubeconfig.anonymous(server));
    return ApiConnection.open(kubeconfig, null);
  }

  /** As whom it speaks to the API server; no other installation does. */
  String user() {
    return USER + name;
  }

  WebhookServer server() {
    return server;
  }

  /** Installs the CustomResourceDefinition and waits until it is served. */
  static void define(Api api) throws Exception {
    api.applyYaml(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/nodeconfigs.network.schiff.telekom.de",
        Definitions.nodeConfigs());
    eventually(() -> api.get(Api.NODE_CONFIGS).expect(200));
    defineKnownInvalid(api);
    ReferenceDefinitions.define(
        api,
        "tcaas-era",
        "network.t-caas.telekom.com",
        "networkconfigrevisions",
        "NetworkConfigRevision");
    ReferenceDefinitions.define(
        api, "tcaas-era", "network.t-caas.telekom.com", "nodenetworkconfigs", "NodeNetworkConfig");
  }

  /** Installs the chart's own CustomResourceDefinition and waits until it is served. */
  static void defineKnownInvalid(Api api) throws Exception {
    api.applyYaml(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/knowninvalidconfigurations.shipshape.dev",
        Files.readString(Path.of("../chart/files/knowninvalidconfigurations.yaml")));
    eventually(() -> api.get(Api.KNOWN_INVALID).expect(200));
  }

  /** All the rights that the webhook needs. */
  static void grant(Api api, String user) throws Exception {
    api.grant(
        user.replace(':', '-'),
        user,
        """
        {apiGroups: ['network.schiff.telekom.de', 'network.t-caas.telekom.com'],
         resources: ['nodeconfigs', 'networkconfigrevisions', 'nodenetworkconfigs',
                     'nodeconfigprocesses'],
         verbs: ['list', 'watch']},
        {apiGroups: ['admissionregistration.k8s.io'],
         resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
         verbs: ['list', 'watch']},
        {apiGroups: ['shipshape.dev'], resources: ['knowninvalidconfigurations'],
         verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete']},
        {apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create']},
        {apiGroups: [''], resources: ['nodes'], verbs: ['list', 'watch']},
        {apiGroups: ['network-connector.sylvaproject.org'], resources: ['*'], verbs: ['list']}
        """);
  }

  private void register(String bundle, String judged, String mutated, boolean armed)
      throws Exception {
    configure(
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        armed
            ? entry("validate", "Fail", "!(%s)".formatted(MAY_OVERRIDE), bundle, judged, "")
                + ","
                + entry("validate-override", "Fail", MAY_OVERRIDE, bundle, judged, "")
            : entry("audit", "Ignore", "true", bundle, judged, ""));
    configure(
        "MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        entry("mutate", "Ignore", "true", bundle, STAMPED, mutated));
    // The API server learns of both by its own watch.
    eventually(
        () -> {
          var reply =
              api.post(Api.NODE_CONFIGS + "?dryRun=All", NodeConfigs.config("probe", 1))
                  .expect(201);
          assertThat(reply.annotation(ConfigHash.ANNOTATION)).startsWith("v1:");
        });
    var validating = "entry=\"%s\"".formatted(armed ? "validate" : "audit");
    eventually(() -> assertThat(allowed(validating)).isPositive());
  }

  /** How many calls this entry has allowed. */
  private double allowed(String entry) throws Exception {
    api.post(Api.NODE_CONFIGS + "?dryRun=All", NodeConfigs.config("probe", 1)).expect(201);
    return metric("shipshape_webhook_requests_total", "decision=\"allowed\"", entry);
  }

  /** The sum of a metric's series that have these labels. */
  double metric(String metric, String... labels) throws Exception {
    return Metric.sum(server.managementPort(), metric, labels);
  }

  private void configure(String kind, String plural, String webhooks) throws Exception {
    var configuration =
        json(
            """
            {apiVersion: 'admissionregistration.k8s.io/v1', kind: '%s', metadata: {name: '%s'},
             webhooks: [%s]}
            """
                .formatted(kind, name, webhooks));
    api.post(REGISTRATION + plural, configuration).expect(201);
  }

  private String entry(
      String entry,
      String failurePolicy,
      String condition,
      String bundle,
      String resources,
      String moreRules) {
    return """
    {name: '%1$s.shipshape.dev', admissionReviewVersions: ['v1'],
     sideEffects: 'None', failurePolicy: '%2$s', timeoutSeconds: 5, matchPolicy: 'Equivalent',
     matchConditions: [{name: 'c', expression: "%3$s"}],
     rules: [{apiGroups: ['network.schiff.telekom.de', 'network.t-caas.telekom.com'],
              apiVersions: ['v1alpha1'], operations: ['CREATE', 'UPDATE'],
              resources: [%7$s]}%6$s],
     clientConfig: {url: 'https://127.0.0.1:%4$d/%1$s', caBundle: '%5$s'}}
    """
        .formatted(
            entry,
            failurePolicy,
            condition,
            server.port(),
            Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8)),
            moreRules,
            resources);
  }

  void remove() throws Exception {
    api.delete(REGISTRATION + "validatingwebhookconfigurations/" + name).expect(200);
    api.delete(REGISTRATION + "mutatingwebhookconfigurations/" + name).expect(200);
    server.close();
    client.close();
  }
}
