package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.sandbox.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;

/** One replica of the webhook, with no more rights than it needs, asked as the API server asks. */
final class Replica implements AutoCloseable {
  private final WebhookServer server;
  private final KubernetesClient client;
  private final HttpClient http;

  private Replica(WebhookServer server, KubernetesClient client, HttpClient http) {
    this.server = server;
    this.client = client;
    this.http = http;
  }

  /**
   * Starts one and waits until it is ready.
   *
   * @param settings besides the addresses
   */
  static Replica start(ControlPlane cluster, Path folder, String user, String settings)
      throws Exception {
    return start(cluster, folder, user, settings, InstantSource.system());
  }

  /**
   * @param serverTime the API server's clock
   */
  static Replica start(
      ControlPlane cluster, Path folder, String user, String settings, InstantSource serverTime)
      throws Exception {
    CertificateSource certificates = TestingCertificates.forLoopback();
    var client = InstalledWebhook.client(cluster, folder, user);
    var parsed = InstalledWebhook.onAnyPort(settings);
    var server = WebhookServer.start(parsed, certificates, client, serverTime);
    var http =
        HttpClient.newBuilder()
            .sslContext(ClientContext.trusting(certificates.current().bundle()))
            .build();
    eventually(() -> assertThat(server.notReadyReason()).isEmpty());
    return new Replica(server, client, http);
  }

  /** Whether a creation is allowed. */
  boolean allows(JsonNode object) throws Exception {
    return allowsCreation("jane", object);
  }

  boolean allowsCreation(String user, JsonNode object) throws Exception {
    return answer(user, object, json("null")).path("allowed").asBoolean();
  }

  boolean allowsUpdate(String user, JsonNode object, JsonNode before) throws Exception {
    return answer(user, object, before).path("allowed").asBoolean();
  }

  /** What somebody is told whose creation is refused. */
  String refusal(JsonNode object) throws Exception {
    return answer("jane", object, json("null")).at("/status/message").asText();
  }

  /** What somebody is told whose update is allowed. */
  String warnings(JsonNode object, JsonNode before) throws Exception {
    return answer("jane", object, before).path("warnings").toString();
  }

  private JsonNode answer(String user, JsonNode object, JsonNode before) throws Exception {
    var apiVersion = object.path("apiVersion").asText();
    var slash = apiVersion.indexOf('/');
    var kind = object.path("kind").asText();
    var review =
        """
        {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u",
         "kind":{"group":"%1$s","version":"%2$s","kind":"%3$s"},
         "resource":{"group":"%1$s","version":"%2$s","resource":"%4$ss"},
         "name":%5$s,"operation":"%6$s","userInfo":{"username":"%7$s"},
         "object":%8$s,"oldObject":%9$s}}
        """
            .formatted(
                apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                kind,
                kind.toLowerCase(Locale.ROOT),
                object.at("/metadata/name"),
                before.isNull() ? "CREATE" : "UPDATE",
                user,
                object,
                before);
    var request =
        HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:%d/validate?timeout=5s".formatted(server.port())))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(review))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer.body()).path("response");
  }

  double metric(String name, String... labels) throws Exception {
    return Metric.sum(server.managementPort(), name, labels);
  }

  WebhookServer server() {
    return server;
  }

  @Override
  public void close() {
    http.close();
    server.close();
    client.close();
  }
}
