package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Plain calls to the API server, over the client's own connection and credentials. Each call is
 * sent once: whether and when to try again is the caller's to decide.
 */
public final class KubernetesApi {
  private static final String JSON = "application/json";

  /** For a whole answer, or for the head of one that is read as it arrives. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** For an answer that is read as it arrives, from its head to its end. */
  private static final Duration STREAM = Duration.ofMinutes(2);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http;
  private final String server;
  private final Duration stream;

  /** Calls as {@code client} would make them. */
  public KubernetesApi(KubernetesClient client) {
    this(client, STREAM);
  }

  /**
   * @param stream for an answer that is read as it arrives
   */
  KubernetesApi(KubernetesClient client, Duration stream) {
    this.stream = stream;
    var configuration = client.getConfiguration();
    var once =
        new RequestConfigBuilder(configuration.getRequestConfig())
            .withRequestRetryBackoffLimit(0)
            .build();
    this.http = client.newClient(once).getHttpClient();
    var url = client.getMasterUrl().toString();
    this.server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /** Reads what a successful answer carries. */
  @FunctionalInterface
  public interface BodyReader<T> {
    T read(Answer head, InputStream body) throws IOException;
  }

  /**
   * GET.
   *
   * @param path with its query, from the slash
   * @return the answer, whatever its code
   * @throws ApiFailure where no answer comes
   */
  public Answer get(String path) {
    return send(request(path).build());
  }

  /**
   * GET of what must be there.
   *
   * @throws ApiFailure where the answer is not a 2xx
   */
  public Answer require(String path) {
    return get(path).requireSuccess("GET " + path);
  }

  /**
   * GET of what may not be there.
   *
   * @return empty where the server says 404
   * @throws ApiFailure where the answer is neither that nor a 2xx
   */
  public Optional<JsonNode> find(String path) {
    var answer = get(path);
    if (answer.code() == 404) {
      return Optional.empty();
    }
    return Optional.of(answer.requireSuccess("GET " + path).body());
  }

  /** POST of a JSON body; otherwise like {@link #get}. */
  public Answer post(String path, JsonNode body) {
    return send(request(path).method("POST", JSON, body.toString()).build());
  }

  /** DELETE with DeleteOptions; otherwise like {@link #get}. */
  public Answer delete(String path, DeleteOptions options) {
    return send(request(path).method("DELETE", JSON, options.toJson()).build());
  }

  /** PATCH with a JSON merge patch (RFC 7386); otherwise like {@link #get}. */
  public Answer mergePatch(String path, JsonNode patch) {
    var type = "application/merge-patch+json";
    return send(request(path).method("PATCH", type, patch.toString()).build());
  }

  /** As {@link #stream(String, String, Duration, BodyReader)}, within two minutes. */
  public <T> T stream(String path, String accept, BodyReader<T> reader) {
    return stream(path, accept, stream, reader);
  }

  /**
   * GET of an answer that is read as it arrives.
   *
   * @param accept the media type asked for
   * @param most how long all of it may take: a connection that dies without a word would block the
   *     reading for ever
   * @throws ApiFailure where no answer comes, it is not a 2xx, or it breaks off
   */
  public <T> T stream(String path, String accept, Duration most, BodyReader<T> reader) {
    var request = request(path).header("Accept", accept).forStreaming().build();
    var late = new AtomicBoolean();
    var answer = new StreamedAnswer(http.sendAsync(request, InputStream.class));
    var timer = answer.cutAfter(most, () -> late.set(true));
    try {
      return read(answer, request, reader);
    } catch (IOException e) {
      var why = late.get() ? "it took longer than " + most : e.getMessage();
      throw new ApiFailure("the answer to GET %s broke off: %s".formatted(path, why), e);
    } finally {
      timer.cancel(false);
    }
  }

  private static <T> T read(StreamedAnswer answer, HttpRequest request, BodyReader<T> reader)
      throws IOException {
    var response = await(request, answer.head());
    try (var body = response.body()) {
      if (!response.isSuccessful()) {
        var status = Answer.of(response, parse(body.readAllBytes()));
        throw new ApiFailure("GET " + request.uri().getRawPath(), status);
      }
      return reader.read(Answer.of(response), body);
    }
  }

  private HttpRequest.Builder request(String path) {
    return http.newHttpRequestBuilder().uri(server + path);
  }

  private Answer send(HttpRequest request) {
    var response = await(request, http.sendAsync(request, byte[].class));
    return Answer.of(response, parse(response.body()));
  }

  private static <T> HttpResponse<T> await(
      HttpRequest request, CompletableFuture<HttpResponse<T>> answer) {
    var call = request.method() + " " + request.uri().getRawPath();
    try {
      return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new ApiFailure("%s got no answer within %s".formatted(call, PATIENCE), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiFailure(call + " was interrupted", e);
    } catch (ExecutionException | CancellationException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new ApiFailure("%s got no answer: %s".formatted(call, reason(cause)), cause);
    }
  }

  private static String reason(Throwable cause) {
    var name = cause.getClass().getSimpleName();
    return cause.getMessage() == null ? name : name + ": " + cause.getMessage();
  }

  private static JsonNode parse(byte @Nullable [] body) {
    try {
      return body == null ? MissingNode.getInstance() : MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }
}
