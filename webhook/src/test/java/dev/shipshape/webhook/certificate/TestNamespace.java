package dev.shipshape.webhook.certificate;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.certs.StoredCertificates;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A namespace with all the rights that the certificates need, and no others. */
final class TestNamespace implements AutoCloseable {
  static final String SECRET = "shipshape-webhook-certificates";

  final String name;
  final String configuration;
  final KubernetesClient administrator;
  private final KubernetesClient account;

  TestNamespace(ControlPlane cluster, UniqueNames names, Path folder) throws Exception {
    this.name = names.namespace("certificates");
    this.configuration = names.name("shipshape");
    this.administrator = ApiConnection.open(cluster.kubeconfig(), null);
    var kubeconfig = folder.resolve("kubeconfig-" + name);
    Files.writeString(kubeconfig, cluster.kubeconfigForServiceAccount(name, "webhook"));
    this.account = ApiConnection.open(kubeconfig, null);
    grant();
  }

  /** As a pod's client, which knows its namespace. */
  KubernetesClient client() {
    return account.adapt(NamespacedKubernetesClient.class).inNamespace(name);
  }

  CertificateSettings settings(Duration authority, Duration leaf) {
    return new CertificateSettings(
        CertificateSettings.Source.SELF_MANAGED,
        configuration,
        SECRET,
        "shipshape-webhook",
        List.of("127.0.0.1"),
        authority,
        leaf,
        Path.of(""));
  }

  private void grant() throws Exception {
    create(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: webhook, namespace: %1$s}
        rules:
        - {apiGroups: [""], resources: [secrets], verbs: [create]}
        - {apiGroups: [""], resources: [secrets], resourceNames: [%2$s],
           verbs: [get, list, watch, update]}
        """
            .formatted(name, SECRET));
    create(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: webhook, namespace: %1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: webhook}
        subjects: [{kind: ServiceAccount, name: webhook, namespace: %1$s}]
        """
            .formatted(name));
    create(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: %1$s}
        rules:
        - apiGroups: [admissionregistration.k8s.io]
          resources: [mutatingwebhookconfigurations]
          resourceNames: [%2$s]
          verbs: [get, list, watch, patch]
        - apiGroups: [admissionregistration.k8s.io]
          resources: [validatingwebhookconfigurations]
          resourceNames: [%2$s]
          verbs: [get, list, watch]
        - apiGroups: [shipshape.dev]
          resources: [knowninvalidconfigurations]
          verbs: [get, list, watch]
        """
            .formatted(name, configuration));
    create(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: %1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
        subjects: [{kind: ServiceAccount, name: webhook, namespace: %1$s}]
        """
            .formatted(name));
  }

  void create(String yaml) throws Exception {
    var bytes = yaml.getBytes(StandardCharsets.UTF_8);
    administrator.load(new ByteArrayInputStream(bytes)).create();
  }

  void takeTheRightToPublish() throws Exception {
    administrator
        .rbac()
        .clusterRoles()
        .withName(name)
        .patch(
            PatchContext.of(PatchType.JSON),
            """
            [{"op": "replace", "path": "/rules/0/verbs", "value": ["get", "list", "watch"]}]
            """);
    var nothing = PatchContext.of(PatchType.JSON_MERGE);
    eventually(
        () ->
            assertThatThrownBy(() -> configurationAsReplica().patch(nothing, "{}"))
                .as("not allowed")
                .isInstanceOf(KubernetesClientException.class));
  }

  /**
   * The mutating configuration, as a chart makes it: without a caBundle, for ConfigMaps here. Both
   * replicas must allow each.
   */
  void register(int port, int otherPort) throws Exception {
    registerFrom(SelfManagedCertificates.LABEL_VALUE, port, otherPort);
  }

  /**
   * @param source where the certificates come from, as the chart notes it
   */
  void registerFrom(String source, int port, int otherPort) throws Exception {
    create(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingWebhookConfiguration
        metadata: {name: %1$s, annotations: {shipshape.dev/certificates-source: %2$s}}
        webhooks:
        %3$s
        %4$s
        - name: somebody-elses.example.com
          admissionReviewVersions: [v1]
          sideEffects: None
          failurePolicy: Ignore
          rules:
          - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}
          clientConfig: {url: "https://127.0.0.1:1/"}
        """
            .formatted(configuration, source, entry("one", port), entry("other", otherPort)));
  }

  private String entry(String entry, int port) {
    return """
    - name: %s.shipshape.dev
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Fail
      timeoutSeconds: 10
      namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
      rules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
      clientConfig: {url: "https://127.0.0.1:%d/mutate"}\
    """
        .formatted(entry, name, port);
  }

  Resource<GenericKubernetesResource> configuration() {
    return administrator
        .genericKubernetesResources(ConfigurationKind.MUTATING.resource())
        .withName(configuration);
  }

  /** The same, with the rights of a replica. */
  Resource<GenericKubernetesResource> configurationAsReplica() {
    return account
        .genericKubernetesResources(ConfigurationKind.MUTATING.resource())
        .withName(configuration);
  }

  /** The caBundle of our entry, PEM; empty where there is none. */
  String bundle() {
    return caBundle(0);
  }

  /** That of the entry that is somebody else's. */
  String foreignBundle() {
    return caBundle(2);
  }

  private String caBundle(int entry) {
    var encoded =
        Objects.requireNonNull(configuration().get())
            .get("webhooks", entry, "clientConfig", "caBundle");
    return encoded instanceof String text
        ? new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8)
        : "";
  }

  /** Replaces the caBundle of our entry, as somebody else would. */
  void setBundle(String bundle) {
    var encoded = Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8));
    configuration()
        .patch(
            PatchContext.of(PatchType.JSON),
            """
            [{"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "%s"}]
            """
                .formatted(encoded));
  }

  Resource<Secret> secret() {
    return administrator.secrets().inNamespace(name).withName(SECRET);
  }

  /** What the Secret holds. */
  StoredCertificates stored() {
    var data = Objects.requireNonNull(secret().get()).getData();
    return StoredCertificates.read(
        part ->
            new String(
                Base64.getDecoder().decode(data.getOrDefault(part, "")), StandardCharsets.UTF_8));
  }

  /** Waits until there is a Secret with a whole content. */
  StoredCertificates storedOnceMade() throws Exception {
    return eventually(
        () -> {
          assertThat(secret().get()).isNotNull();
          return stored();
        });
  }

  /** Changes some parts of the Secret, as somebody else would. */
  void tamper(Map<String, String> parts) {
    secret()
        .edit(
            secret -> {
              var builder = new SecretBuilder(secret);
              parts.forEach(
                  (part, text) ->
                      builder.addToData(
                          part,
                          Base64.getEncoder()
                              .encodeToString(text.getBytes(StandardCharsets.UTF_8))));
              return builder.build();
            });
  }

  @Override
  public void close() {
    configuration().delete();
    administrator
        .genericKubernetesResources(ConfigurationKind.VALIDATING.resource())
        .withName(configuration)
        .delete();
    administrator.namespaces().withName(name).delete();
    account.close();
    administrator.close();
  }
}
