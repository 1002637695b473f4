package dev.shipshape.webhook.certificate;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.Life;
import dev.shipshape.certs.StoredCertificates;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  CertificateSettings.SelfManaged settings(Life authority, Life leaf) {
    return new CertificateSettings.SelfManaged(
        SECRET,
        "shipshape-webhook",
        List.of("127.0.0.1"),
        new CertificateSettings.ConfigurationNames(configuration, configuration),
        authority,
        leaf);
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
          resources: [validatingwebhookconfigurations, mutatingwebhookconfigurations]
          resourceNames: [%2$s]
          verbs: [get, list, watch, patch]
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

  /** Both configurations, as a chart makes them: without a caBundle, for ConfigMaps here. */
  void register(int validatingPort, int mutatingPort) throws Exception {
    create(configuration("Validating", "validate", validatingPort));
    create(configuration("Mutating", "mutate", mutatingPort));
  }

  private String configuration(String kind, String entry, int port) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: %1$sWebhookConfiguration
    metadata: {name: %2$s}
    webhooks:
    - name: %3$s.shipshape.dev
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Fail
      timeoutSeconds: 10
      namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %4$s}}
      rules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
      clientConfig: {url: "https://127.0.0.1:%5$d/%3$s"}
    - name: somebody-elses.example.com
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Ignore
      rules:
      - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}
      clientConfig: {url: "https://127.0.0.1:1/"}
    """
        .formatted(kind, configuration, entry, name, port);
  }

  Resource<GenericKubernetesResource> configuration(ConfigurationKind kind) {
    return administrator.genericKubernetesResources(kind.resource()).withName(configuration);
  }

  /** The same, with the rights of a replica. */
  Resource<GenericKubernetesResource> configurationAsReplica(ConfigurationKind kind) {
    return account.genericKubernetesResources(kind.resource()).withName(configuration);
  }

  /** The caBundle of our entry, PEM; empty where there is none. */
  String bundle(ConfigurationKind kind) {
    return caBundle(kind, 0);
  }

  /** That of the entry that is somebody else's. */
  String foreignBundle(ConfigurationKind kind) {
    return caBundle(kind, 1);
  }

  private String caBundle(ConfigurationKind kind, int entry) {
    var encoded =
        Objects.requireNonNull(configuration(kind).get())
            .get("webhooks", entry, "clientConfig", "caBundle");
    return encoded instanceof String text
        ? new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8)
        : "";
  }

  /** Replaces the caBundle of our entry, as somebody else would. */
  void setBundle(ConfigurationKind kind, String bundle) {
    var encoded = Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8));
    configuration(kind)
        .patch(
            PatchContext.of(PatchType.JSON),
            """
            [{"op": "replace", "path": "/webhooks/0/clientConfig/caBundle", "value": "%s"}]
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
    for (var kind : ConfigurationKind.values()) {
      configuration(kind).delete();
    }
    administrator.namespaces().withName(name).delete();
    account.close();
    administrator.close();
  }
}
