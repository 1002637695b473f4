package dev.shipshape.janitor.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The log of a container, read as it arrives. The client's own call waits for the pod to be ready,
 * and has no limit for the whole of a log.
 *
 * @param timeout for the whole of a log, without which a connection that dies without a word would
 *     block the read for ever
 */
public record PodLog(
    KubernetesClient client, String namespace, String pod, String container, Duration timeout) {

  /** Reads a log to its end. */
  @FunctionalInterface
  public interface Reader {
    void read(InputStream log) throws IOException;
  }

  /**
   * Reads it.
   *
   * @param query what is asked for, such as {@code timestamps=true&tailLines=1}; empty for all
   * @return the answer's code; the log is read only where that is 200
   * @throws IOException where no answer comes, or not to its end in time
   */
  public int read(String query, Reader reader) throws IOException {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + path() + "&" + query)
            .header("Accept", "*/*")
            .forStreaming()
            .build();
    var answer = http.sendAsync(request, InputStream.class);
    var late = new AtomicBoolean();
    var timer =
        CompletableFuture.runAsync(
            () -> {
              late.set(true);
              cut(answer);
            },
            CompletableFuture.delayedExecutor(timeout.toMillis(), TimeUnit.MILLISECONDS));
    try {
      return read(answer.get(), reader);
    } catch (ExecutionException | CancellationException | IOException e) {
      var why = late.get() ? "did not end within " + timeout : "was not read to its end: " + e;
      throw new IOException("%s %s".formatted(this, why), e);
    } catch (InterruptedException e) {
      cut(answer);
      Thread.currentThread().interrupt();
      throw new IOException(this + " was interrupted", e);
    } finally {
      timer.cancel(false);
    }
  }

  private static int read(HttpResponse<InputStream> response, Reader reader) throws IOException {
    try (var body = response.body()) {
      if (response.code() == 200) {
        reader.read(body);
      }
    }
    return response.code();
  }

  /** Whoever reads it gets an exception. */
  private static void cut(CompletableFuture<HttpResponse<InputStream>> answer) {
    if (!answer.cancel(true)) {
      try {
        answer.join().body().close();
      } catch (IOException | RuntimeException ignored) {
        // It is given up anyway.
      }
    }
  }

  private String path() {
    return "api/v1/namespaces/%s/pods/%s/log?container=%s"
        .formatted(namespace, pod, URLEncoder.encode(container, StandardCharsets.UTF_8));
  }

  /** How messages name the call. */
  @Override
  public String toString() {
    return "GET /" + path();
  }
}
