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
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  /** Sends all reviews, one after the other. */
  static void send(URI webhook, Path authority) throws IOException, InterruptedException {
    var requests = requests(webhook);
    var trusting = ClientContext.of(Files.readString(authority), null);
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

  private static List<HttpRequest> requests(URI webhook) {
    var creation = review("CREATE", "null");
    return List.of(
        request(webhook.resolve("/validate"), creation),
        request(webhook.resolve("/mutate"), creation),
        request(webhook.resolve("/validate"), review("UPDATE", object(2))));
  }

  private static HttpRequest request(URI uri, String review) {
    return HttpRequest.newBuilder(uri)
        .timeout(TIMEOUT)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(review))
        .build();
  }

  private static String review(String operation, String before) {
    return """
    {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"training",\
    "resource":{"group":"network.schiff.telekom.de","version":"v1alpha1","resource":"nodeconfigs"},\
    "name":"shipshape-training","operation":"%s",\
    "userInfo":{"username":"training","groups":["system:masters"]},\
    "dryRun":true,"object":%s,"oldObject":%s}}\
    """
        .formatted(operation, object(1), before);
  }

  private static String object(int vni) {
    return """
    {"apiVersion":"network.schiff.telekom.de/v1alpha1","kind":"NodeConfig",\
    "metadata":{"name":"shipshape-training","annotations":{"a":"b"}},\
    "spec":{"layer2":%s,"vrf":%s,"routingTable":[{"tableId":1000}]}}\
    """
        .formatted(list(40, id -> network(id, vni + id)), list(8, TrainingReviews::vrf));
  }

  private static String network(int id, int vni) {
    return """
    {"id":%1$d,"mtu":1500,"vni":%2$d,"anycastMac":"00:00:5E:00:01:64","vrf":"vrf-%3$d",\
    "anycastGateways":["10.100.%1$d.1/24"]}\
    """
        .formatted(id, vni, id % 8);
  }

  private static String vrf(int index) {
    var routes =
        list(
            20,
            route ->
                "{\"cidr\":\"10.%d.%d.7/24\",\"action\":\"permit\",\"le\":32}"
                    .formatted(index, route));
    return "{\"vrf\":\"vrf-%1$d\",\"seq\":10,\"import\":%2$s,\"export\":%2$s}"
        .formatted(index, routes);
  }

  private static String list(int length, IntFunction<String> element) {
    return IntStream.range(0, length).mapToObj(element).collect(Collectors.joining(",", "[", "]"));
  }
}
