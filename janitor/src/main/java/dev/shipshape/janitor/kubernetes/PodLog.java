package dev.shipshape.janitor.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The log of a container, read as a stream. The client's own call waits until the pod is ready, and
 * has no timeout for the whole log.
 *
 * @param timeout for the whole log; without it, a connection that is lost without a reset would
 *     block the read for ever
 */
public record PodLog(
    KubernetesClient client, String namespace, String pod, String container, Duration timeout) {

  /** Reads the stream to its end. */
  @FunctionalInterface
  public interface Reader {
    void read(InputStream log) throws IOException;
  }

  /**
   * Reads the log.
   *
   * @param query such as {@code timestamps=true&tailLines=1}; empty for the whole log
   * @return the HTTP status; the reader is called only if it is 200
   * @throws IOException if no answer arrives, or it is not complete before the timeout
   */
  public int read(String query, Reader reader) throws IOException {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + path() + "&" + query)
            .header("Accept", "*/*")
            // Of the head. A cancelled call ends only by this, after its retries; ours ends first.
            .timeout(2 * timeout.toMillis(), TimeUnit.MILLISECONDS)
            .forStreaming()
            .build();
    var answer = http.sendAsync(request, InputStream.class);
    // A thread of its own, which is interrupted at the timeout: that closes the stream.
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads.invokeAny(
          List.of(() -> read(answer.get(), reader)), timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("%s did not end within %s".formatted(this, timeout), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException bug) {
        throw bug;
      }
      throw new IOException("%s was not read to its end: %s".formatted(this, e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(this + " was interrupted", e);
    } finally {
      answer.cancel(true);
      // An answer that came just after the timeout would keep its connection.
      var _ = answer.thenAccept(late -> Utils.closeQuietly(late.body()));
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

  private String path() {
    return "api/v1/namespaces/%s/pods/%s/log?container=%s"
        .formatted(namespace, pod, URLEncoder.encode(container, StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "GET /" + path();
  }
}
