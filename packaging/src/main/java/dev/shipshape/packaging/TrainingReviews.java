package dev.shipshape.packaging;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Reviews such as the API server sends, of about 24 KB an object. The fields are those of node
 * network configurations.
 */
final class TrainingReviews {
  /** The optimising compiler has then compiled what a call needs; more gains nothing. */
  private static final int CALLS = 12_000;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String NAME = "shipshape-training";
  private static final int NETWORKS = 40;
  private static final int VRFS = 8;
  private static final int ROUTES = 20;

  /** What the presets of the training guard. */
  private record Guarded(String group, String plural, String kind) {}

  private static final List<Guarded> GUARDED =
      List.of(
          new Guarded("network.schiff.telekom.de", "nodeconfigs", "NodeConfig"),
          new Guarded(
              "network.schiff.telekom.de", "networkconfigrevisions", "NetworkConfigRevision"),
          new Guarded(
              "network.t-caas.telekom.com", "networkconfigrevisions", "NetworkConfigRevision"),
          new Guarded("network.t-caas.telekom.com", "nodenetworkconfigs", "NodeNetworkConfig"));

  private TrainingReviews() {}

  /**
   * Sends them one after the other.
   *
   * @param webhook the HTTPS address of a webhook that is ready
   * @throws IOException where one is not answered with 200
   */
  static void send(URI webhook) throws IOException, InterruptedException {
    var requests = GUARDED.stream().flatMap(guarded -> requests(webhook, guarded)).toList();
    try (var http = HttpClient.newBuilder().sslContext(trustingAll()).build()) {
      for (var call = 0; call < CALLS; call++) {
        var request = requests.get(call % requests.size());
        var response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() != OK) {
          throw new IOException(
              "training: %s answered %d: %s"
                  .formatted(request.uri(), response.statusCode(), response.body()));
        }
      }
    }
  }

  private static Stream<HttpRequest> requests(URI webhook, Guarded guarded) {
    var creation = review(guarded, "CREATE").toString();
    var update = review(guarded, "UPDATE");
    update.withObject("/request").set("oldObject", object(guarded, 2));
    return Stream.of(
        request(webhook.resolve("/validate"), creation),
        request(webhook.resolve("/mutate"), creation),
        request(webhook.resolve("/validate"), update.toString()));
  }

  private static HttpRequest request(URI uri, String review) {
    return HttpRequest.newBuilder(uri)
        .timeout(TIMEOUT)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(review))
        .build();
  }

  private static ObjectNode review(Guarded guarded, String operation) {
    var review =
        NODES.objectNode().put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
    var request = review.putObject("request").put("uid", NAME);
    request
        .putObject("resource")
        .put("group", guarded.group())
        .put("version", "v1alpha1")
        .put("resource", guarded.plural());
    request.put("name", NAME).put("operation", operation);
    request.putObject("userInfo").put("username", NAME).putArray("groups").add("system:masters");
    request.put("dryRun", true).set("object", object(guarded, 1));
    return review;
  }

  private static ObjectNode object(Guarded guarded, int vni) {
    var object =
        NODES
            .objectNode()
            .put("apiVersion", guarded.group() + "/v1alpha1")
            .put("kind", guarded.kind());
    object.putObject("metadata").put("name", NAME).putObject("annotations").put("a", "b");
    var spec = object.putObject("spec");
    var networks = spec.putArray("layer2");
    for (var id = 0; id < NETWORKS; id++) {
      var network = networks.addObject().put("id", id).put("mtu", 1500).put("vni", vni + id);
      network.put("anycastMac", "00:00:5E:00:01:64").put("vrf", "vrf-" + id % VRFS);
      network.putArray("anycastGateways").add("10.100.%d.1/24".formatted(id));
    }
    var vrfs = spec.putArray("vrf");
    for (var index = 0; index < VRFS; index++) {
      var vrf = vrfs.addObject().put("vrf", "vrf-" + index).put("seq", 10);
      for (var direction : List.of("import", "export")) {
        var routes = vrf.putArray(direction);
        for (var route = 0; route < ROUTES; route++) {
          routes
              .addObject()
              .put("cidr", "10.%d.%d.7/24".formatted(index, route))
              .put("action", "permit")
              .put("le", 32);
        }
      }
    }
    spec.putArray("routingTable").addObject().put("tableId", 1000);
    return object;
  }

  /** The webhook of the training makes its own certificate, which nobody vouches for. */
  private static SSLContext trustingAll() {
    var trusting =
        new X509ExtendedTrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trusting}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }
}
