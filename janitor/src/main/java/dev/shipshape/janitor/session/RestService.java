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
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Calls to the CFS service. Each is sent once. */
public final class RestService {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http;
  private final String address;
  private final BearerToken bearer;

  /**
   * @param http from {@link RestConnection}
   * @param address up to the version, such as {@code http://cray-cfs-api}
   */
  public RestService(HttpClient http, URI address, BearerToken bearer) {
    var text = address.toString();
    this.http = http;
    this.address = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    this.bearer = bearer;
  }

  /** GET; otherwise like {@link #delete}. */
  Answer get(String path) {
    return send("GET", path);
  }

  /**
   * DELETE.
   *
   * @return the answer, whatever its code
   * @throws ApiFailure where no answer comes, or the request cannot be made
   */
  Answer delete(String path) {
    return send("DELETE", path);
  }

  /** A token that is refused (401) is renewed once: nothing had been carried out with it. */
  private Answer send(String method, String path) {
    var call = "%s %s%s".formatted(method, address, path);
    try {
      var token = bearer.get();
      var answer = send(method, path, token);
      return answer.code() == 401 && token.isPresent() && bearer.renew(token.get())
          ? send(method, path, bearer.get())
          : answer;
    } catch (IOException e) {
      throw ApiFailure.unanswered("%s got no answer: %s".formatted(call, e), e);
    } catch (TimeoutException e) {
      throw ApiFailure.unanswered("%s got no answer within %s".formatted(call, PATIENCE), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiFailure.unanswered(call + " was interrupted", e);
    }
  }

  private Answer send(String method, String path, Optional<String> token)
      throws IOException, InterruptedException, TimeoutException {
    var request =
        HttpRequest.newBuilder(URI.create(address + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    token.ifPresent(text -> authorise(request, text));
    var response = WholeAnswer.of(http, request.build(), PATIENCE);
    return Answer.of(
        response.statusCode(),
        response.headers().firstValue("Date").orElse(null),
        response.headers().firstValue("Retry-After").orElse(null),
        parse(response.body()));
  }

  private static void authorise(HttpRequest.Builder request, String token) {
    try {
      request.header("Authorization", "Bearer " + token);
    } catch (IllegalArgumentException e) {
      // Its message, and so its trace too, would quote the token.
      throw ApiFailure.unsuitable(
          "what was to be the CFS service's bearer token cannot be one, such as for a line break in"
              + " it: look at sessions.rest");
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
