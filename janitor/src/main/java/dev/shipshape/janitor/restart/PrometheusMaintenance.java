package dev.shipshape.janitor.restart;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.session.RestConnection;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks Prometheus (its HTTP API, {@code /api/v1/query}) whether an alert or any other series stands
 * for maintenance. Every doubt blocks: no answer, an error, an answer that is not whole.
 */
final class PrometheusMaintenance {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_READ = 1024 * 1024;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final MaintenanceSettings settings;
  private final URI address;
  private final Duration timeout;
  private final HttpClient http;

  /** As the settings say; never blocked where they say nothing. */
  static Supplier<Optional<String>> of(@Nullable MaintenanceSettings settings) {
    return settings == null ? Optional::empty : new PrometheusMaintenance(settings, TIMEOUT)::block;
  }

  /**
   * @param timeout for a whole answer
   */
  PrometheusMaintenance(MaintenanceSettings settings, Duration timeout) {
    var base = settings.prometheus().toString();
    this.settings = settings;
    this.address =
        URI.create(
            "%s/api/v1/query?query=%s"
                .formatted(
                    base.endsWith("/") ? base.substring(0, base.length() - 1) : base,
                    URLEncoder.encode(settings.query(), UTF_8)));
    this.timeout = timeout;
    this.http = RestConnection.open(settings.authorityFile());
  }

  /** Why not to restart now, in one line; also where it cannot be told. */
  Optional<String> block() {
    try {
      var body = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_READ);
      var response = RestConnection.send(http, request(), body, timeout);
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

  private HttpRequest request() throws IOException {
    var request = HttpRequest.newBuilder(address);
    var file = settings.tokenFile();
    if (file != null) {
      try {
        request.header("Authorization", "Bearer " + Files.readString(file).strip());
      } catch (IllegalArgumentException e) {
        // Its message would quote the token.
        throw new IOException(
            "%s has a character that no token may have, such as a line break".formatted(file));
      }
    }
    return request.build();
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
      return Optional.of("the query %s has %d results".formatted(settings.query(), result.size()));
    }
    // Behind a proxy for several servers, this is how one of them is said to be missing.
    return answer.path("warnings").isEmpty()
        ? Optional.empty()
        : doubt("its answer has warnings: " + answer.path("warnings"));
  }

  private Optional<String> doubt(String reason) {
    return Optional.of(
        "whether there is maintenance is unknown: Prometheus at %s: %s"
            .formatted(settings.prometheus(), reason));
  }
}
