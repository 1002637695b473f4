package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator deletes its Deployment in the background and creates it again: once as soon as the
 * name is free, once when the pods are gone. Real API server, real controllers; the kubelet's part,
 * to end the pods, is played.
 */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(120)
class DeleteRaceOnClusterTest {
  private static final int PODS = 2;

  @TempDir private Path folder = Path.of("");

  @Promise(
      value = "`audit races` finds a deletion that removes an object created again.",
      breaks = "Comparing names instead of uids.")
  @Test
  void aDeploymentThatIsCreatedAgainTooEarlyIsFoundAndItsDeletionIsNamed(
      ControlPlane cluster, UniqueNames names) throws Exception {
    var good = run(cluster, names.namespace("delete"), true);
    var bad = run(cluster, names.namespace("delete"), false);

    assertThat(races(good)).isEmpty();
    assertThat(races(bad))
        .singleElement()
        .satisfies(
            race -> {
              assertThat(race.kind()).isEqualTo(Race.Kind.RECREATED);
              assertThat(race.object().path()).isEqualTo("deployments.apps/shop/web");
              assertThat(race.actors()).containsExactly("shop-operator");
              assertThat(race.evidence())
                  .extracting(AuditEvent::verb)
                  .startsWith("delete", "create", "delete");
            });

    var comparison =
        RunComparison.of(Requests.logs(good), Requests.logs(bad), EventFilter.ALL, Map.of());
    assertThat(comparison.differences())
        .filteredOn(difference -> difference.actor().equals("shop-operator"))
        .first()
        .satisfies(
            difference -> {
              assertThat(difference.difference()).isEqualTo("only in BEFORE");
              assertThat(difference.what()).isEqualTo("list pods/shop");
              assertThat(difference.follows()).isEqualTo("delete deployments.apps/shop/web");
            });
    assertThat(
            RunComparison.of(Requests.logs(good), Requests.logs(good), EventFilter.ALL, Map.of())
                .differences())
        .isEmpty();
  }

  /** One run; its part of the audit log, with a namespace that is the same in each. */
  private Path run(ControlPlane cluster, String namespace, boolean awaited) throws Exception {
    try (var operator = cluster.httpClientFor("shop-operator", List.of("system:masters"));
        var kubelet = cluster.httpClientFor("system:node:worker-1", List.of("system:masters"))) {
      var api = new Api(cluster, namespace);
      api.create(operator, "apis/apps/v1", "deployments", WEB);
      while (api.pods(kubelet).size() < PODS) {
        Thread.onSpinWait();
      }
      for (var pod : api.pods(kubelet)) {
        api.create(kubelet, "api/v1", "pods/%s/binding".formatted(name(pod)), binding(name(pod)));
      }
      api.delete(
          operator, "apis/apps/v1", "deployments/web", "{\"propagationPolicy\":\"Background\"}");
      if (!awaited) {
        api.create(operator, "apis/apps/v1", "deployments", WEB);
      }
      end(api, kubelet);
      if (awaited) {
        assertThat(api.pods(operator)).isEmpty();
        api.create(operator, "apis/apps/v1", "deployments", WEB);
      }
      var log = Files.readString(cluster.auditLog());
      // The last line may be written just now.
      var lines =
          log.substring(0, log.lastIndexOf('\n'))
              .lines()
              .filter(line -> line.contains("\"namespace\":\"%s\"".formatted(namespace)))
              .map(line -> line.replace(namespace, "shop"))
              .toList();
      return Files.write(folder.resolve(namespace + ".log"), lines);
    }
  }

  /** Ends the old pods once they are to end, as a kubelet does. */
  private static void end(Api api, HttpClient kubelet) throws Exception {
    var ended = 0;
    while (ended < PODS) {
      for (var pod : api.pods(kubelet)) {
        if (pod.path("metadata").has("deletionTimestamp")) {
          api.delete(kubelet, "api/v1", "pods/" + name(pod), "{\"gracePeriodSeconds\":0}");
          ended++;
        }
      }
    }
  }

  private static List<Race> races(Path log) throws IOException {
    return Races.find(Requests.logs(log), EventFilter.ALL, List.of(), false).races();
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  private static String binding(String pod) {
    return """
    {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},
    "target":{"kind":"Node","name":"worker-1"}}\
    """
        .formatted(pod);
  }

  private static final String WEB =
      """
      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2,
      "selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
      "spec":{"containers":[{"name":"web","image":"web"}]}}}}\
      """;

  /** Requests as JSON. */
  private record Api(ControlPlane cluster, String namespace) {
    List<JsonNode> pods(HttpClient client) throws Exception {
      var pods = new ArrayList<JsonNode>();
      send(client, request("api/v1", "pods").GET()).path("items").forEach(pods::add);
      return pods;
    }

    void create(HttpClient client, String group, String path, String object) throws Exception {
      send(client, request(group, path).POST(BodyPublishers.ofString(object)));
    }

    void delete(HttpClient client, String group, String path, String options) throws Exception {
      send(client, request(group, path).method("DELETE", BodyPublishers.ofString(options)));
    }

    private HttpRequest.Builder request(String group, String path) {
      var uri = "/%s/namespaces/%s/%s".formatted(group, namespace, path);
      return HttpRequest.newBuilder(cluster.server().resolve(uri))
          .header("Content-Type", "application/json");
    }

    private static JsonNode send(HttpClient client, HttpRequest.Builder request) throws Exception {
      var response = client.send(request.build(), BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isLessThan(300);
      return Json.tree(response.body());
    }
  }
}
