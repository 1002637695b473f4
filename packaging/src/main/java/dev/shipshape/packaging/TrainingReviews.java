package dev.shipshape.packaging;

import dev.shipshape.certs.ClientContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Sends reviews for the training as the API server does, about 24 KB an object, with the fields of
 * node network configurations.
 */
final class TrainingReviews {
  /** The optimising compiler has then compiled what a call needs; more gains nothing. */
  private static final int CALLS = 12_000;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int OK = 200;

  private TrainingReviews() {}

  /**
   * Sends all reviews, one after the other.
   *
   * @param folder with the object, and the authority of the webhook's certificate
   */
  static void send(URI webhook, Path folder) throws IOException, InterruptedException {
    var object = Files.readString(folder.resolve("object.json")).replace("\n", "");
    var requests = requests(webhook, object);
    var trusting = ClientContext.of(Files.readString(folder.resolve("ca.crt")), null);
    try (var http = HttpClient.newBuilder().sslContext(trusting).build()) {
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

  private static List<HttpRequest> requests(URI webhook, String object) {
    var creation = review("CREATE", object, "null");
    var before = object.replace("\"mtu\":1500", "\"mtu\":9000");
    return List.of(
        request(webhook.resolve("/validate"), creation),
        request(webhook.resolve("/mutate"), creation),
        request(webhook.resolve("/validate"), review("UPDATE", object, before)));
  }

  private static HttpRequest request(URI uri, String review) {
    return HttpRequest.newBuilder(uri)
        .timeout(TIMEOUT)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(review))
        .build();
  }

  private static String review(String operation, String object, String before) {
    return """
    {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"training",\
    "resource":{"group":"network.schiff.telekom.de","version":"v1alpha1","resource":"nodeconfigs"},\
    "name":"shipshape-training","operation":"%s",\
    "userInfo":{"username":"training","groups":["system:masters"]},\
    "dryRun":true,"object":%s,"oldObject":%s}}\
    """
        .formatted(operation, object, before);
  }
}
