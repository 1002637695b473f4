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

/** Calls to the CFS service. Each is sent once, but a GET whose token is refused. */
public final class RestService {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http;
  private final String address;
  private final BearerToken bearer;

  /**
   * @param http from {@link RestConnection}
   * @param address up to the version, such as {@code http://cray-cfs-api.services}
   */
  public RestService(HttpClient http, URI address, BearerToken bearer) {
    var text = address.toString();
    this.http = http;
    this.address = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    this.bearer = bearer;
  }

  /**
   * What was read.
   *
   * @param token that it was read with; empty for none
   */
  record Reading(Answer answer, Optional<String> token) {}

  /** A call whose answer may not come. */
  private interface Call<T> {
    T send() throws IOException, InterruptedException, TimeoutException;
  }

  /**
   * GET.
   *
   * @return the answer, whatever its code
   * @throws ApiFailure where no answer comes, or the request cannot be made
   */
  Answer get(String path) {
    return read(path).answer();
  }

  /**
   * As {@link #get}, to be followed by {@link #delete}. A token that is refused (401) is renewed
   * once.
   */
  Reading read(String path) {
    return named(
        "GET",
        path,
        () -> {
          var token = bearer.get();
          var answer = send("GET", path, token);
          if (!isRenewed(answer, token)) {
            return new Reading(answer, token);
          }
          var renewed = bearer.get();
          return new Reading(send("GET", path, renewed), renewed);
        });
  }

  /**
   * DELETE of what was read just before, with the same token: another one may take long to come,
   * and what was read would be out of date then.
   *
   * @return the answer, whatever its code; empty where the token was refused and can be renewed: it
   *     is to be read again
   * @throws ApiFailure where no answer comes
   */
  Optional<Answer> delete(String path, Reading reading) {
    var answer = named("DELETE", path, () -> send("DELETE", path, reading.token()));
    return isRenewed(answer, reading.token()) ? Optional.empty() : Optional.of(answer);
  }

  private boolean isRenewed(Answer answer, Optional<String> token) {
    return answer.code() == 401 && token.isPresent() && bearer.renew(token.get());
  }

  private <T> T named(String method, String path, Call<T> request) {
    var call = "%s %s%s".formatted(method, address, path);
    try {
      return request.send();
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
