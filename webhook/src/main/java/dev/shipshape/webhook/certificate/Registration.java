package dev.shipshape.webhook.certificate;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.List;

/** A webhook configuration as it stands, and what is ours in it. */
record Registration(ConfigurationKind kind, JsonNode object) {
  private static final String SOURCE = "shipshape.dev/certificates-source";
  private static final String OURS = ".shipshape.dev";

  /** Our entries. */
  List<JsonNode> entries() {
    return object
        .path("webhooks")
        .valueStream()
        .filter(entry -> entry.path("name").asText().endsWith(OURS))
        .toList();
  }

  /** The {@code caBundle} of each of our entries, PEM; an empty text where there is none. */
  List<String> bundles() {
    return entries().stream().map(WebhookConfigurations::bundle).toList();
  }

  /** Whether each of our entries has this bundle. */
  boolean has(String bundle) {
    return bundles().stream().allMatch(bundle::equals);
  }

  /**
   * Whether the bundle is ours to keep. Replicas that are about to go keep it of no other source.
   */
  boolean isOurs() {
    var source = object.at("/metadata/annotations").path(SOURCE);
    return kind == ConfigurationKind.MUTATING
        && source.asText(CertificateSecret.LABEL_VALUE).equals(CertificateSecret.LABEL_VALUE);
  }

  /** Whether this path is called for this resource. */
  boolean calls(String path, String group, String plural) {
    return entries().stream()
        .filter(entry -> pathOf(entry.path("clientConfig")).equals(path))
        .flatMap(entry -> entry.path("rules").valueStream())
        .anyMatch(
            rule -> has(rule.path("apiGroups"), group) && has(rule.path("resources"), plural));
  }

  private static boolean has(JsonNode list, String text) {
    return list.valueStream().anyMatch(each -> each.asText().equals(text));
  }

  private static String pathOf(JsonNode client) {
    var url = client.path("url").asText();
    return url.isEmpty() ? client.at("/service/path").asText() : URI.create(url).getPath();
  }

  @Override
  public String toString() {
    return kind.kind() + " " + object.at("/metadata/name").asText();
  }
}
