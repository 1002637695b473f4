package dev.shipshape.janitor.restart;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.session.RestConnection;
import dev.shipshape.janitor.session.RestEndpoint;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Queries Prometheus (HTTP API, {@code /api/v1/query}) for an alert or another series that signals
 * maintenance. Fails closed: no answer, an error or an incomplete answer blocks too.
 */
final class PrometheusMaintenance {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_RESPONSE_BYTES = 1024 * 1024;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final RestEndpoint prometheus;
  private final String query;
  private final Duration timeout;
  private final RestConnection connection;

  static Supplier<Optional<String>> of(RestartSettings settings) {
    var prometheus = settings.prometheus();
    return prometheus == null
        ? Optional::empty
        : new PrometheusMaintenance(prometheus, settings.maintenance(), TIMEOUT)::blockReason;
  }

  PrometheusMaintenance(RestEndpoint prometheus, String query, Duration timeout) {
    this.prometheus = prometheus;
    this.query = query;
    this.timeout = timeout;
    this.connection = new RestConnection(prometheus);
  }

  /** Returns in one line why maintenance forbids a restart; also if this is unknown. */
  Optional<String> blockReason() {
    try {
      var path = "/api/v1/query?query=" + URLEncoder.encode(query, UTF_8);
      var response = connection.send("GET", path, MAX_RESPONSE_BYTES, timeout);
      return evaluate(response.statusCode(), MAPPER.readTree(response.body()));
    } catch (JsonProcessingException e) {
      return doubt("its answer is not JSON");
    } catch (IOException | KubernetesClientException e) {
      return doubt(e.toString());
    }
  }

  private Optional<String> evaluate(int code, JsonNode response) {
    if (code != 200 || !response.path("status").asText().equals("success")) {
      return doubt("it answered %d: %s".formatted(code, response.path("error").asText("")));
    }
    var type = response.at("/data/resultType").asText();
    var result = response.at("/data/result");
    if (!type.equals("vector") || !result.isArray()) {
      return doubt(
          "the query must return a vector, not \"%s\"; write a comparison, as in x > 0"
              .formatted(type));
    }
    if (!result.isEmpty()) {
      return Optional.of("the query %s has %d results".formatted(query, result.size()));
    }
    // A proxy for several servers reports a missing server as a warning.
    return response.path("warnings").isEmpty()
        ? Optional.empty()
        : doubt("its answer has warnings: " + response.path("warnings"));
  }

  private Optional<String> doubt(String reason) {
    return Optional.of(
        "could not check for maintenance: Prometheus at %s: %s"
            .formatted(prometheus.address(), RestConnection.brief(reason)));
  }
}
