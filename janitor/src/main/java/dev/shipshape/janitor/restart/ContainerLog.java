package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The log of one container, as the kubelet gives it: with its time before each line. The client's
 * own call for it waits for the pod to be ready, and has no limit for the whole of a log.
 */
final class ContainerLog {
  private final KubernetesClient client;
  private final String path;
  private final Duration patience;

  /**
   * @param patience for the whole of a log; one that takes longer is unreadable
   */
  ContainerLog(
      KubernetesClient client, String namespace, String pod, String container, Duration patience) {
    this.client = client;
    this.path =
        "api/v1/namespaces/%s/pods/%s/log?container=%s&timestamps=true"
            .formatted(namespace, pod, encode(container));
    this.patience = patience;
  }

  /**
   * Reads what the running or last instance logged since a time, which counts by the second.
   *
   * @throws IOException where it cannot be read to its end
   */
  void read(Instant since, BiConsumer<Instant, String> each) throws IOException {
    requireFound(stream("&sinceTime=" + since(since), each));
  }

  /** Reads what the instance before logged; nothing where the kubelet has cleared it away. */
  void readPrevious(Instant since, BiConsumer<Instant, String> each) throws IOException {
    var code = stream("&sinceTime=%s&previous=true".formatted(since(since)), each);
    if (code >= 500) {
      requireFound(code);
    }
  }

  /** Reads the last line, however old. */
  void readLast(BiConsumer<Instant, String> each) throws IOException {
    requireFound(stream("&tailLines=1", each));
  }

  private void requireFound(int code) throws IOException {
    if (code != 200) {
      throw new IOException("GET /%s was answered %d".formatted(path, code));
    }
  }

  /** Returns the answer's code; the log is read where that is 200. */
  private int stream(String query, BiConsumer<Instant, String> each) throws IOException {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + path + query)
            .header("Accept", "*/*")
            .forStreaming()
            .build();
    var answer = http.sendAsync(request, InputStream.class);
    // A connection that dies without a word would block the read for ever.
    var late = new AtomicBoolean();
    var timer =
        CompletableFuture.runAsync(
            () -> {
              late.set(true);
              cut(answer);
            },
            CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS));
    try {
      return read(answer.get(), each);
    } catch (ExecutionException | CancellationException | IOException e) {
      throw new IOException(
          "GET /%s %s"
              .formatted(
                  path,
                  late.get() ? "did not end within " + patience : "got no whole answer: " + e),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      timer.cancel(false);
    }
  }

  private static int read(HttpResponse<InputStream> response, BiConsumer<Instant, String> each)
      throws IOException {
    try (var body = response.body()) {
      if (response.code() == 200) {
        BoundedLines.forEach(body, line -> accept(line, each));
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

  private static void accept(String line, BiConsumer<Instant, String> each) {
    var space = line.indexOf(' ');
    try {
      each.accept(Instant.parse(line.substring(0, Math.max(0, space))), line.substring(space + 1));
    } catch (DateTimeException e) {
      // Not a line of the log but of the kubelet's own about it, such as that it was rotated away.
    }
  }

  private static String since(Instant time) {
    return encode(time.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
