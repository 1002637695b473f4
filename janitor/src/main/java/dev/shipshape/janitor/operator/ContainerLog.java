package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/** The log of one container, as the kubelet gives it: with its time before each line. */
final class ContainerLog {
  private final KubernetesApi api;
  private final String path;
  private final Duration patience;

  /**
   * @param pod the pod's path
   * @param patience for the whole of a log; one that takes longer is unreadable
   */
  ContainerLog(KubernetesApi api, String pod, String container, Duration patience) {
    this.api = api;
    this.path = "%s/log?container=%s&timestamps=true".formatted(pod, encode(container));
    this.patience = patience;
  }

  /**
   * Reads what the running or last instance logged since a time, which counts by the second.
   *
   * @throws ApiFailure where it cannot be read to its end
   */
  void read(Instant since, BiConsumer<Instant, String> each) {
    stream("&sinceTime=" + since(since), each);
  }

  /** Reads what the instance before logged; nothing where the kubelet has cleared it away. */
  void readPrevious(Instant since, BiConsumer<Instant, String> each) {
    try {
      stream("&sinceTime=%s&previous=true".formatted(since(since)), each);
    } catch (ApiFailure e) {
      if (e.code() < 400 || e.code() >= 500) {
        throw e;
      }
    }
  }

  /** Reads the last line, however old. */
  void readLast(BiConsumer<Instant, String> each) {
    stream("&tailLines=1", each);
  }

  private void stream(String query, BiConsumer<Instant, String> each) {
    api.stream(
        path + query,
        "*/*",
        (head, body) -> {
          readInTime(body, each);
          return head;
        });
  }

  /** A connection that dies without a word would block the read for ever. */
  private void readInTime(InputStream body, BiConsumer<Instant, String> each) throws IOException {
    var late = new AtomicBoolean();
    var cut =
        CompletableFuture.runAsync(
            () -> {
              late.set(true);
              close(body);
            },
            CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS));
    try {
      BoundedLines.forEach(body, line -> accept(line, each));
    } catch (IOException e) {
      if (!late.get()) {
        throw e;
      }
    } finally {
      cut.cancel(false);
    }
    if (late.get()) {
      throw new IOException("it did not end within " + patience);
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

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException ignored) {
      // It is given up anyway.
    }
  }

  private static String since(Instant time) {
    return encode(time.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
