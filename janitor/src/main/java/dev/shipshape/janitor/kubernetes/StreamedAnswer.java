package dev.shipshape.janitor.kubernetes;

import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An answer that is read as it arrives, and that can be broken off meanwhile. */
final class StreamedAnswer {
  private final CompletableFuture<HttpResponse<InputStream>> head;

  StreamedAnswer(CompletableFuture<HttpResponse<InputStream>> head) {
    this.head = head;
  }

  CompletableFuture<HttpResponse<InputStream>> head() {
    return head;
  }

  /** Breaks it off, whether or not its head has come: whoever reads it gets an exception. */
  private void cut() {
    head.cancel(true);
    if (!head.isCompletedExceptionally()) {
      try {
        head.join().body().close();
      } catch (IOException ignored) {
        // It is given up anyway.
      }
    }
  }

  /** Breaks it off after a time, unless that is cancelled. */
  CompletableFuture<Void> cutAfter(Duration time, Runnable before) {
    return CompletableFuture.runAsync(
        () -> {
          before.run();
          cut();
        },
        CompletableFuture.delayedExecutor(
            time.toMillis(), TimeUnit.MILLISECONDS, Thread.ofVirtual()::start));
  }
}
