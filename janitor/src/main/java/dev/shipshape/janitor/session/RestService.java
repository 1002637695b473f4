package dev.shipshape.janitor.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls to the CFS service. */
public final class RestService {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A page has up to 100 sessions; more than this, as a tree, exceeds the chart's heap. */
  private static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

  private static final String CREDENTIALS = "; check sessions.rest.tokenFile";

  private final RestConnection connection;

  /**
   * Sends nothing yet.
   *
   * @throws dev.shipshape.service.StartFailure if its authorities cannot be read
   */
  public RestService(RestEndpoint endpoint) {
    this.connection = new RestConnection(endpoint);
  }

  /**
   * @param call the method and the URL
   * @param date the Date header
   * @param body a missing node if it is not JSON
   */
  record Response(String call, int code, @Nullable String date, JsonNode body) {
    /** Returns this response; throws if its code is not 2xx. */
    Response requireSuccess() {
      if (code >= 200 && code < 300) {
        return this;
      }
      var detail = RestConnection.brief(body.path("detail").asText(""));
      var message =
          "%s was answered %d%s%s"
              .formatted(
                  call,
                  code,
                  detail.isEmpty() ? "" : ": " + detail,
                  code == HttpURLConnection.HTTP_UNAUTHORIZED ? CREDENTIALS : "");
      throw new KubernetesClientException(message, code, null);
    }
  }

  /** Returns the newest supported version; empty if the service answers 404 to both. */
  Optional<RestVersion> version() {
    var v3 = call("GET", "/v3/sessions?limit=1");
    // Another error may be temporary; to choose version 2 then would be wrong.
    if (v3.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      var _ = RestVersion.V3.items(v3.requireSuccess().body());
      return Optional.of(RestVersion.V3);
    }
    var v2 = call("GET", "/v2/sessions");
    // Version 2 answers 400 if there are too many sessions for one response.
    if (v2.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return Optional.empty();
    }
    if (v2.code() != HttpURLConnection.HTTP_BAD_REQUEST) {
      var _ = RestVersion.V2.items(v2.requireSuccess().body());
    }
    return Optional.of(RestVersion.V2);
  }

  /**
   * Sends a request once, without a retry: the next run tries again. Returns any code.
   *
   * @throws KubernetesClientException if no answer arrives
   */
  Response call(String method, String path) {
    var call = method + " " + connection.url(path);
    try {
      var response = connection.send(method, path, MAX_BODY_BYTES, TIMEOUT);
      return new Response(
          call,
          response.statusCode(),
          response.headers().firstValue("Date").orElse(null),
          parse(response.body()));
    } catch (IOException e) {
      throw new KubernetesClientException(
          "%s: sessions.rest.address gave no answer of at most %d MiB from here: %s"
              .formatted(call, MAX_BODY_BYTES >> 20, e),
          e);
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
