package dev.shipshape.service;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Waits as long as the API server asks before the client sends a request again. The client itself
 * reads the header and then waits for its own, much shorter time (fabric8 7.8, {@code
 * AsyncUtils.retryWithExponentialBackoff}).
 */
public final class RetryAfter implements Interceptor {
  /** What the client calls it. */
  public static final String NAME = "retry-after";

  /** Whoever asks for more is asked again all the same: work that waits is in the way of other. */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private final Duration longest;

  /**
   * @param longest how long it waits at most
   */
  public RetryAfter(Duration longest) {
    this.longest = longest;
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
      var asked = header == null ? 0 : Math.max(0, Long.parseLong(header.strip()));
      return asked > longest.toSeconds() ? longest : Duration.ofSeconds(asked);
    } catch (NumberFormatException e) {
      return Duration.ZERO;
    }
  }
}
