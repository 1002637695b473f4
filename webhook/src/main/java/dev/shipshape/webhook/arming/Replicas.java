package dev.shipshape.webhook.arming;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.certs.ClientContext;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.net.ssl.SSLSocket;

/**
 * The replicas that the API server may ask now.
 *
 * @param host the Service's name, as the API server asks for it
 * @param ready those that are ready
 */
record Replicas(String host, List<Replica> ready) {
  /** With one, writes would fail whenever it is replaced. */
  private static final int NEEDED = 2;

  private static final int PATIENCE_MILLIS = 1000;
  private static final JsonMapper MAPPER = new JsonMapper();

  /**
   * One of them.
   *
   * @param node where it runs
   */
  record Replica(String pod, String node, String address, int port) {}

  /** Those in the EndpointSlices of a Service. */
  static Replicas of(String host, Collection<GenericKubernetesResource> slices) {
    return new Replicas(
        host,
        slices.stream()
            .map(slice -> MAPPER.<JsonNode>valueToTree(slice.getAdditionalProperties()))
            .flatMap(Replicas::ready)
            // There is a slice for each family of addresses.
            .collect(Collectors.toMap(Replica::pod, Function.identity(), (one, other) -> one))
            .values()
            .stream()
            .toList());
  }

  private static Stream<Replica> ready(JsonNode slice) {
    var port = slice.at("/ports/0/port").asInt();
    return StreamSupport.stream(slice.path("endpoints").spliterator(), false)
        .filter(endpoint -> endpoint.at("/conditions/ready").asBoolean())
        .map(
            endpoint ->
                new Replica(
                    endpoint.at("/targetRef/name").asText(),
                    endpoint.path("nodeName").asText(),
                    endpoint.at("/addresses/0").asText(),
                    port));
  }

  /**
   * Why writes could fail if they depended on these.
   *
   * @param bundle what the API server would trust, PEM
   * @param nodes on how many nodes they must be
   */
  Optional<String> objection(String bundle, int nodes) {
    if (ready.size() < NEEDED) {
      return Optional.of("%d replicas are ready, and it takes %d".formatted(ready.size(), NEEDED));
    }
    var on = ready.stream().map(Replica::node).distinct().toList();
    if (on.size() < nodes) {
      return Optional.of(
          "all ready replicas are on %s, and it takes %d nodes (guard.oneNode)"
              .formatted(String.join(", ", on), nodes));
    }
    if (bundle.isEmpty()) {
      return Optional.of("the MutatingWebhookConfiguration has no caBundle yet");
    }
    return ready.stream().flatMap(replica -> untrusted(replica, bundle).stream()).findFirst();
  }

  private Optional<String> untrusted(Replica replica, String bundle) {
    try (var plain = new Socket()) {
      plain.connect(new InetSocketAddress(replica.address(), replica.port()), PATIENCE_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      var factory = ClientContext.trusting(bundle).getSocketFactory();
      try (var tls = (SSLSocket) factory.createSocket(plain, host, replica.port(), true)) {
        var parameters = tls.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        return Optional.empty();
      }
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of(
          "the replica %s cannot be called at %s:%d with the caBundle of the"
                  .formatted(replica.pod(), replica.address(), replica.port())
              + " MutatingWebhookConfiguration: "
              + e.getMessage());
    }
  }
}
