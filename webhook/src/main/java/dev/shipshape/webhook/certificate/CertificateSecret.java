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

/** The Secret that keeps authority and leaf. One without our label is never written to. */
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

  /** What stands at the Secret's name. */
  sealed interface Found {}

  /** There is none. */
  record Absent() implements Found {}

  /** Somebody else's. */
  record Foreign() implements Found {}

  /** Ours, with whatever content. */
  record Ours(Secret secret, StoredCertificates content) implements Found {
    /** Leaves the Secret out. */
    @Override
    public String toString() {
      return "Ours";
    }
  }

  /** What stands there by the API server's answer. */
  Found read() {
    return found(resource().get());
  }

  /** What this is. */
  Found found(@Nullable Secret secret) {
    if (secret == null) {
      return new Absent();
    }
    var labels = Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of());
    return LABEL_VALUE.equals(labels.get(LABEL))
        ? new Ours(secret, StoredCertificates.read(part -> decoded(secret, part)))
        : new Foreign();
  }

  void create(StoredCertificates content) {
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .addToLabels(LABEL, LABEL_VALUE)
            .endMetadata()
            .withType("Opaque")
            .withStringData(content.parts())
            .build();
    client.secrets().inNamespace(namespace).resource(secret).create();
  }

  /** Replaces the content, if nobody has written to it since it was read. */
  void replace(Ours read, StoredCertificates content) {
    // The API server keeps what else is in it.
    var secret = new SecretBuilder(read.secret()).withStringData(content.parts()).build();
    // With the resourceVersion that was read.
    client.secrets().inNamespace(namespace).resource(secret).update();
  }

  Resource<Secret> resource() {
    return client.secrets().inNamespace(namespace).withName(name);
  }

  @Override
  public String toString() {
    return "Secret %s/%s".formatted(namespace, name);
  }

  private static String decoded(Secret secret, String part) {
    var data = secret.getData();
    @Nullable String encoded = data == null ? null : data.get(part);
    return encoded == null
        ? ""
        : new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }
}
