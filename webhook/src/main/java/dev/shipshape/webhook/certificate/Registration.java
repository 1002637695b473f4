package dev.shipshape.webhook.certificate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A webhook configuration as it stands.
 *
 * @param uid so that only this very object is written to
 * @param source where certificates come from, as it is noted there
 * @param webhooks our entries
 * @param bundles the {@code caBundle} of each of our entries, PEM, by the entry's name; empty where
 *     there is none
 */
record Registration(
    ConfigurationKind kind,
    String name,
    String uid,
    String source,
    List<JsonNode> webhooks,
    Map<String, String> bundles) {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String SOURCE = "shipshape.dev/certificates-source";
  private static final String OURS = ".shipshape.dev";

  Registration {
    webhooks = List.copyOf(webhooks);
    bundles = Map.copyOf(bundles);
  }

  static Registration of(ConfigurationKind kind, GenericKubernetesResource object) {
    JsonNode entries = MAPPER.valueToTree(object.getAdditionalProperties().get("webhooks"));
    var webhooks =
        entries.valueStream().filter(entry -> entry.path("name").asText().endsWith(OURS)).toList();
    var bundles = new LinkedHashMap<String, String>();
    webhooks.forEach(
        entry -> bundles.put(entry.path("name").asText(), bundle(entry.at("/clientConfig"))));
    var metadata = object.getMetadata();
    var notes = Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of());
    return new Registration(
        kind,
        metadata.getName(),
        metadata.getUid(),
        notes.getOrDefault(SOURCE, CertificateSecret.LABEL_VALUE),
        webhooks,
        bundles);
  }

  /** Whether each of our entries has this bundle. */
  boolean has(String bundle) {
    return bundles.values().stream().allMatch(bundle::equals);
  }

  /**
   * Whether the bundle is ours to keep. Replicas that are about to go keep it of no other source.
   */
  boolean isOurs() {
    return kind == ConfigurationKind.MUTATING && source.equals(CertificateSecret.LABEL_VALUE);
  }

  /** Whether this path is called for this resource. */
  boolean calls(String path, String group, String plural) {
    return webhooks.stream()
        .filter(entry -> pathOf(entry.at("/clientConfig")).equals(path))
        .flatMap(entry -> entry.path("rules").valueStream())
        .anyMatch(
            rule ->
                rule.path("apiGroups").valueStream().anyMatch(each -> each.asText().equals(group))
                    && rule.path("resources")
                        .valueStream()
                        .anyMatch(each -> each.asText().equals(plural)));
  }

  private static String pathOf(JsonNode client) {
    var url = client.path("url").asText();
    return url.isEmpty() ? client.at("/service/path").asText() : URI.create(url).getPath();
  }

  private static String bundle(JsonNode client) {
    var encoded = client.path("caBundle").asText();
    return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return kind.kind() + " " + name;
  }
}
