package dev.shipshape.janitor.restart;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.session.RestConnection;
import dev.shipshape.janitor.session.RestEndpoint;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks Prometheus (its HTTP API, {@code /api/v1/query}) whether an alert or any other series stands
 * for maintenance. Every doubt blocks: no answer, an error, an answer that is not whole.
 */
final class PrometheusMaintenance {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_READ = 1024 * 1024;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final RestEndpoint prometheus;
  private final String query;
  private final Duration timeout;
  private final RestConnection connection;

  /** As the settings say; never blocked if they say nothing. */
  static Supplier<Optional<String>> of(RestartSettings settings) {
    var prometheus = settings.prometheus();
    return prometheus == null
        ? Optional::empty
        : new PrometheusMaintenance(prometheus, settings.maintenance(), TIMEOUT)::block;
  }

  /**
   * @param query in PromQL; a result that is not empty blocks
   * @param timeout for a whole answer
   */
  PrometheusMaintenance(RestEndpoint prometheus, String query, Duration timeout) {
    this.prometheus = prometheus;
    this.query = query;
    this.timeout = timeout;
    this.connection = new RestConnection(prometheus);
  }

  /** Why not to restart now, in one line; also where it cannot be told. */
  Optional<String> block() {
    try {
      var body = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_READ);
      var path = "/api/v1/query?query=" + URLEncoder.encode(query, UTF_8);
      var response = connection.send("GET", path, body, timeout);
      return judge(response.statusCode(), MAPPER.readTree(response.body()));
    } catch (JsonProcessingException e) {
      return doubt("its answer is not JSON");
    } catch (IOException e) {
      return doubt(e.toString());
    } catch (TimeoutException e) {
      return doubt("no whole answer within " + timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return doubt("interrupted");
    }
  }

  private Optional<String> judge(int code, JsonNode answer) {
    if (code != 200 || !answer.path("status").asText().equals("success")) {
      return doubt("it answered %d: %s".formatted(code, answer.path("error").asText("")));
    }
    var type = answer.at("/data/resultType").asText();
    var result = answer.at("/data/result");
    if (!type.equals("vector") || !result.isArray()) {
      return doubt(
          "the query must give a vector, not \"%s\"; compare it, as in x > 0".formatted(type));
    }
    if (!result.isEmpty()) {
      return Optional.of("the query %s has %d results".formatted(query, result.size()));
    }
    // Behind a proxy for several servers, this is how one of them is said to be missing.
    return answer.path("warnings").isEmpty()
        ? Optional.empty()
        : doubt("its answer has warnings: " + answer.path("warnings"));
  }

  private Optional<String> doubt(String reason) {
    return Optional.of(
        "whether there is maintenance is unknown: Prometheus at %s: %s"
            .formatted(prometheus.address(), reason));
  }
}
