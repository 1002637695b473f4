package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.StoredCertificates;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The Secret with CA and serving certificate. A Secret without our label is never changed. */
final class CertificateSecret {
  static final String LABEL = "shipshape.dev/certificates";
  static final String LABEL_VALUE = "self-managed";

  private final KubernetesClient client;
  private final String namespace;
  private final String name;

  CertificateSecret(KubernetesClient client, String namespace, String name) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
  }

  Resource<Secret> resource() {
    return client.secrets().inNamespace(namespace).withName(name);
  }

  static boolean isOurs(Secret secret) {
    var labels = Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of());
    return LABEL_VALUE.equals(labels.get(LABEL));
  }

  /** Returns the stored certificates; none if the Secret is missing or empty. */
  static StoredCertificates content(@Nullable Secret secret) {
    return secret == null || secret.getData() == null
        ? StoredCertificates.NONE
        : StoredCertificates.read(
            part ->
                new String(
                    Base64.getDecoder().decode(secret.getData().getOrDefault(part, "")),
                    StandardCharsets.UTF_8));
  }

  /**
   * Creates the Secret or replaces its content. Conflict if it was changed since it was read.
   *
   * @param read the Secret as it was read, with its resourceVersion; null if there was none
   */
  void write(@Nullable Secret read, StoredCertificates content) {
    var builder =
        read == null
            ? new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels(LABEL, LABEL_VALUE)
                .endMetadata()
                .withType("Opaque")
            : new SecretBuilder(read);
    // The API server keeps other keys of the Secret.
    var secret = builder.withStringData(content.parts()).build();
    var resource = client.secrets().inNamespace(namespace).resource(secret);
    var _ = read == null ? resource.create() : resource.update();
  }

  @Override
  public String toString() {
    return "Secret %s/%s".formatted(namespace, name);
  }
}
