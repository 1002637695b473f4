package dev.shipshape.webhook.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ConfigMap. A write succeeds only on what was read: two writers lose nothing. */
final class MemoryStore {
  static final String NAME = "shipshape-known-invalid";

  /** Of a ConfigMap that is not there: before every version that it may come to have. */
  static final long NO_VERSION = 0;

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final Map<String, String> REVIEW =
      Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview");

  private final KubernetesClient client;
  private final String namespace;

  MemoryStore(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /**
   * What was read.
   *
   * @param stored null where there is no ConfigMap yet
   */
  record Found(@Nullable ConfigMap stored, Book book) {
    static Found of(@Nullable ConfigMap stored) {
      var data = stored == null ? null : stored.getData();
      return new Found(stored, data == null ? Book.EMPTY : BookText.read(data));
    }

    /** Of two that were read of one ConfigMap the later one has the larger number. */
    long version() {
      return stored == null ? NO_VERSION : versionOf(stored);
    }
  }

  /**
   * Who asks, and when, as the API server sees it.
   *
   * @param now its clock's whole seconds: ours may go wrong
   */
  record Asking(String user, Instant now) {}

  Found read() {
    return Found.of(configMap().get());
  }

  /** Writes over what was read; null where somebody else has written in between. */
  @Nullable Found write(Found read, Book book) {
    try {
      var stored = read.stored();
      var next = holding(stored, book);
      return Found.of(stored == null ? next.create() : next.update());
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return null;
      }
      throw e;
    }
  }

  Asking asking() {
    var answer = client.raw(REVIEWS, "POST", REVIEW);
    try {
      var review = MAPPER.readTree(answer == null ? "" : answer);
      return new Asking(
          review.at("/status/userInfo/username").asText(),
          Instant.parse(review.at("/metadata/creationTimestamp").asText()));
    } catch (JsonProcessingException e) {
      throw new KubernetesClientException("no SelfSubjectReview: " + answer, e);
    }
  }

  Resource<ConfigMap> configMap() {
    return client.configMaps().inNamespace(namespace).withName(NAME);
  }

  /** Where the API server has it, and may watch it. */
  String path() {
    return "/api/v1/namespaces/%s/configmaps?fieldSelector=metadata.name%%3D%s"
        .formatted(namespace, NAME);
  }

  String namespace() {
    return namespace;
  }

  KubernetesClient client() {
    return client;
  }

  static long versionOf(ConfigMap stored) {
    return Long.parseLong(stored.getMetadata().getResourceVersion());
  }

  private Resource<ConfigMap> holding(@Nullable ConfigMap stored, Book book) {
    var builder =
        stored == null
            ? new ConfigMapBuilder().withNewMetadata().withName(NAME).endMetadata()
            : new ConfigMapBuilder(stored);
    var next = builder.withData(BookText.write(book)).build();
    return client.configMaps().inNamespace(namespace).resource(next);
  }
}
