package dev.shipshape.janitor.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Calls to the CFS service. */
public final class RestService {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String CREDENTIALS = "; look at sessions.rest.tokenFile";

  private final HttpClient http;
  private final String address;
  private final BearerToken bearer;

  /** A server that is asked for less, as the Kubernetes client does it for the API server. */
  private final RetryPolicy<Response> retry;

  /**
   * @param http from {@link RestConnection}
   * @param address up to the version, such as {@code http://cray-cfs-api.services}
   */
  public RestService(HttpClient http, URI address, BearerToken bearer) {
    this(http, address, bearer, Duration.ofSeconds(1));
  }

  /**
   * @param pause before a request without an answer is sent again
   */
  RestService(HttpClient http, URI address, BearerToken bearer, Duration pause) {
    var text = address.toString();
    this.http = http;
    this.address = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    this.bearer = bearer;
    this.retry =
        RetryPolicy.<Response>builder()
            .handleResultIf(Response::asksForFewer)
            .withMaxRetries(4)
            .withDelayFn(
                context -> context.getLastResult() == null ? pause : pause(context.getLastResult()))
            .build();
  }

  /**
   * What the service answered.
   *
   * @param date its clock, as the header has it
   * @param retryAfter as the header has it
   * @param body a missing node where it is not JSON
   */
  record Response(int code, @Nullable String date, @Nullable String retryAfter, JsonNode body) {
    boolean isSuccessful() {
      return code >= 200 && code < 300;
    }

    boolean asksForFewer() {
      return code == 429 || (code == HttpURLConnection.HTTP_UNAVAILABLE && retryAfter != null);
    }

    /**
     * This answer, if its code is a 2xx.
     *
     * @param call what was attempted
     */
    Response requireSuccess(String call) {
      if (isSuccessful()) {
        return this;
      }
      var detail = body.path("detail").asText("");
      var message =
          "%s was answered %d%s%s"
              .formatted(
                  call,
                  code,
                  detail.isEmpty() ? "" : ": " + detail,
                  code == HttpURLConnection.HTTP_UNAUTHORIZED ? CREDENTIALS : "");
      var status =
          new StatusBuilder()
              .withCode(code)
              .withMessage(message)
              .withNewDetails()
              .withRetryAfterSeconds((int) pause(this).toSeconds())
              .endDetails()
              .build();
      throw new KubernetesClientException(message, code, status);
    }
  }

  /** The newest version that it has; empty where it answers 404 to both. */
  Optional<RestVersion> version() {
    var v3 = get("/v3/sessions?limit=1");
    if (v3.isSuccessful()) {
      return Optional.of(RestVersion.V3);
    }
    // Whatever else is wrong may pass; version 2 would then be the wrong one.
    if (v3.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      v3.requireSuccess("GET /v3/sessions");
    }
    var v2 = get("/v2/sessions");
    // 400 is how version 2 says that there are too many for one answer.
    if (v2.isSuccessful() || v2.code() == HttpURLConnection.HTTP_BAD_REQUEST) {
      return Optional.of(RestVersion.V2);
    }
    if (v2.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      v2.requireSuccess("GET /v2/sessions");
    }
    return Optional.empty();
  }

  /**
   * GET, sent again after each pause that is asked for.
   *
   * @return the answer, whatever its code
   * @throws KubernetesClientException where no answer comes
   */
  Response get(String path) {
    return Failsafe.with(retry).get(() -> call("GET", path));
  }

  /** DELETE, sent once: what was read before it is out of date after a pause. */
  Response delete(String path) {
    return call("DELETE", path);
  }

  private Response call(String method, String path) {
    var call = "%s %s%s".formatted(method, address, path);
    try {
      return send(method, path, bearer.get());
    } catch (IOException e) {
      throw new KubernetesClientException("%s got no answer: %s".formatted(call, e), e);
    } catch (TimeoutException e) {
      throw new KubernetesClientException("%s got no answer within %s".formatted(call, TIMEOUT), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException(call + " was interrupted", e);
    }
  }

  private Response send(String method, String path, Optional<String> token)
      throws IOException, InterruptedException, TimeoutException {
    var request =
        HttpRequest.newBuilder(URI.create(address + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    token.ifPresent(text -> authorise(request, text));
    var response = RestConnection.send(http, request.build(), BodyHandlers.ofByteArray(), TIMEOUT);
    return new Response(
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
      throw new KubernetesClientException(
          "the CFS service's bearer token has a character that no token may have, such as a line"
              + " break: look at sessions.rest.tokenFile");
    }
  }

  private static Duration pause(Response answer) {
    try {
      var header = answer.retryAfter() == null ? "1" : answer.retryAfter();
      var asked = Duration.ofSeconds(Math.max(1, Long.parseLong(header.strip())));
      return asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
    } catch (NumberFormatException e) {
      return LONGEST_PAUSE;
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
