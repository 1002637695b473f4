package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What a chart may ask about the cluster. Helm 3 asks the cluster itself when it installs, but not
 * when it renders: then it takes the cluster for one of the Kubernetes that it was built with, or
 * for 1.20 where it was built without a version.
 *
 * @param kubernetes its version, such as {@code v1.36.3}
 * @param served what it serves, a list for each version of a group: {@code group/version} first,
 *     then {@code group/version/Kind} for each kind
 */
record Capabilities(String kubernetes, List<List<String>> served) {
  /** One answer for all groups and kinds. */
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private static final Duration LIMIT = Duration.ofSeconds(30);

  Capabilities {
    served = served.stream().map(List::copyOf).toList();
  }

  /**
   * Asks the cluster.
   *
   * @throws KubernetesClientException if the API server gives no answer
   */
  static Capabilities of(KubernetesClient client) {
    var response =
        RawRequest.send(client, "/apis", LIMIT, request -> request.header("Accept", AGGREGATED));
    try {
      var groups = new ObjectMapper().readTree(response.body());
      return new Capabilities(
          client.getKubernetesVersion().getGitVersion(),
          items(groups, "items").flatMap(Capabilities::versions).toList());
    } catch (IOException e) {
      throw new KubernetesClientException(
          "GET /apis was answered %d, and not with a list".formatted(response.code()), e);
    }
  }

  private static Stream<List<String>> versions(JsonNode group) {
    return items(group, "versions")
        .map(
            version -> {
              var name =
                  "%s/%s"
                      .formatted(
                          group.at("/metadata/name").asText(), version.path("version").asText());
              return Stream.concat(
                      Stream.of(name),
                      items(version, "resources")
                          .map(resource -> resource.at("/responseKind/kind").asText())
                          .distinct()
                          .map(kind -> name + "/" + kind))
                  .toList();
            });
  }

  private static Stream<JsonNode> items(JsonNode object, String list) {
    return StreamSupport.stream(object.path(list).spliterator(), false);
  }

  /** The same for {@code helm template}; a Helm that has asked the cluster itself ignores them. */
  List<String> flags() {
    var flags = new ArrayList<>(List.of("--kube-version", kubernetes));
    // One for each version, as an operating system limits how long one argument may be.
    served.forEach(each -> flags.add("--api-versions=" + String.join(",", each)));
    return flags;
  }
}
