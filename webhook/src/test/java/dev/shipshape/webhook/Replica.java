package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.sandbox.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;

/** One replica of the webhook, with no more rights than it needs, asked as the API server asks. */
final class Replica implements AutoCloseable {
  private final WebhookServer server;
  private final KubernetesClient client;
  private final Caller caller;

  private Replica(WebhookServer server, KubernetesClient client, Caller caller) {
    this.server = server;
    this.client = client;
    this.caller = caller;
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
    var certificates = TestingCertificates.forLoopback();
    var client = InstalledWebhook.client(cluster, folder, user);
    var parsed = InstalledWebhook.onAnyPort(settings);
    var server = WebhookServer.start(parsed, certificates, client, serverTime);
    eventually(() -> assertThat(server.notReadyReason()).isEmpty());
    return new Replica(server, client, Caller.of(server, certificates));
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
    var answer = caller.validate(review);
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
    caller.close();
    server.close();
    client.close();
  }
}
