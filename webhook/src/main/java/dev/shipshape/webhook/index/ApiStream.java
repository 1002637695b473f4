package dev.shipshape.webhook.index;

import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** Streams responses for one resource, one at a time. An interrupt of the thread ends a read. */
final class ApiStream {
  /** Timeout for the response head. */
  private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(30);

  private static final int MAX_ERROR_BYTES = 500;

  /** 410: the resourceVersion of the watch has expired. */
  static final class Gone extends IOException {
    private static final long serialVersionUID = 1L;

    Gone() {
      super("the resourceVersion has expired");
    }
  }

  private final KubernetesClient client;
  private final String path;

  ApiStream(KubernetesClient client, String path) {
    this.client = client;
    this.path = path;
  }

  @FunctionalInterface
  interface Body<T> {
    T read(InputStream body) throws IOException;
  }

  /** Sends a GET; the timeout is for the whole response, and an error throws with its code. */
  <T> T read(String query, Duration timeout, Body<T> body) throws IOException {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + path.substring(1) + "?" + query)
            .header("Accept", "application/json")
            .timeout(HEAD_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
            .forStreaming()
            .build();
    var response = http.sendAsync(request, InputStream.class);
    var timer =
        CompletableFuture.runAsync(
            () -> abort(response),
            CompletableFuture.delayedExecutor(
                timeout.toMillis(), TimeUnit.MILLISECONDS, Thread.ofVirtual()::start));
    try (var in = head(response)) {
      return body.read(in);
    } finally {
      timer.cancel(false);
    }
  }

  /** The other served versions of the resource, joined by commas; empty if there are none. */
  String otherVersions() {
    var names = path.split("/", -1);
    if (names.length != 5) {
      return "";
    }
    return Optional.ofNullable(client.getApiGroup(names[2])).stream()
        .flatMap(group -> group.getVersions().stream())
        .map(GroupVersionForDiscovery::getVersion)
        .filter(version -> !version.equals(names[3]))
        .filter(version -> ApiConnection.serves(client, names[2] + "/" + version, names[4]))
        .collect(Collectors.joining(", "));
  }

  private static InputStream head(CompletableFuture<HttpResponse<InputStream>> response)
      throws IOException {
    try {
      var received = response.get(HEAD_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      if (received.isSuccessful()) {
        return received.body();
      }
      try (var error = received.body()) {
        throw failure(
            received.code(), new String(error.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8));
      }
    } catch (TimeoutException | CancellationException | InterruptedException e) {
      abort(response);
      throw new IOException("no response within " + HEAD_TIMEOUT, e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  static IOException failure(int code, String body) {
    if (code == HttpURLConnection.HTTP_GONE) {
      return new Gone();
    }
    throw new KubernetesClientException(
        "status %d: %s".formatted(code, ApiConnection.statusMessage(body)), code, null);
  }

  /** Aborts a request, before or after its response head. */
  private static void abort(CompletableFuture<HttpResponse<InputStream>> response) {
    response.cancel(true);
    if (!response.isCompletedExceptionally()) {
      Utils.closeQuietly(response.join().body());
    }
  }
}
