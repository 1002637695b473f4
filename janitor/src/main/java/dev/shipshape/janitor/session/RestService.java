package dev.shipshape.janitor.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.shipshape.janitor.kubernetes.Answer;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Calls to the CFS service. Each is sent once. */
public final class RestService {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final String address;
  private final @Nullable Path tokenFile;

  /**
   * @param address up to the version, such as {@code http://cray-cfs-api}
   * @param tokenFile holds a bearer token, as a mounted Secret does; read before each call, for it
   *     may be renewed. Null for none.
   */
  public RestService(URI address, @Nullable Path tokenFile) {
    var text = address.toString();
    this.address = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    this.tokenFile = tokenFile;
  }

  /** GET; otherwise like {@link #delete}. */
  Answer get(String path) {
    return send("GET", path);
  }

  /**
   * DELETE.
   *
   * @return the answer, whatever its code
   * @throws ApiFailure where no answer comes
   */
  Answer delete(String path) {
    return send("DELETE", path);
  }

  private Answer send(String method, String path) {
    var call = "%s %s%s".formatted(method, address, path);
    try {
      var request =
          HttpRequest.newBuilder(URI.create(address + path))
              .timeout(PATIENCE)
              .method(method, HttpRequest.BodyPublishers.noBody());
      if (tokenFile != null) {
        request.header("Authorization", "Bearer " + Files.readString(tokenFile).strip());
      }
      var response = http.send(request.build(), BodyHandlers.ofByteArray());
      return Answer.of(
          response.statusCode(),
          response.headers().firstValue("Date").orElse(null),
          response.headers().firstValue("Retry-After").orElse(null),
          parse(response.body()));
    } catch (IOException e) {
      throw ApiFailure.unanswered("%s got no answer: %s".formatted(call, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiFailure.unanswered(call + " was interrupted", e);
    }
  }

  private static JsonNode parse(byte[] body) throws IOException {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
