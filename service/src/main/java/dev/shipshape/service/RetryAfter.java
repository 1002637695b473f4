package dev.shipshape.service;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the time in the API server's Retry-After header before the client retries a request.
 * The client itself reads the header but waits for its own, much shorter time (fabric8 7.8, {@code
 * AsyncUtils.retryWithExponentialBackoff}).
 */
public final class RetryAfter implements Interceptor {
  public static final String NAME = "retry-after";

  /** The limit of the wait time, because a waiting task blocks others. */
  static final Duration MAX_WAIT = Duration.ofSeconds(5);

  private final Duration maxWait;

  public RetryAfter(Duration maxWait) {
    this.maxWait = maxWait;
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder request, HttpResponse<?> response, RequestTags tags) {
    var pause = response.code() == 429 || response.code() == 503 ? pause(response) : Duration.ZERO;
    return pause.isZero()
        ? CompletableFuture.completedFuture(false)
        : CompletableFuture.supplyAsync(
            () -> false,
            CompletableFuture.delayedExecutor(
                pause.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread));
  }

  private Duration pause(HttpResponse<?> response) {
    var header = response.header("Retry-After");
    try {
      var seconds = header == null ? 0 : Math.max(0, Long.parseLong(header.strip()));
      return seconds > maxWait.toSeconds() ? maxWait : Duration.ofSeconds(seconds);
    } catch (NumberFormatException e) {
      return Duration.ZERO;
    }
  }
}
