package dev.shipshape.service;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
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
  private static final long LONGEST_SECONDS = 5;

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder request, HttpResponse<?> response, RequestTags tags) {
    var seconds = response.code() == 429 || response.code() == 503 ? seconds(response) : 0;
    return seconds == 0
        ? CompletableFuture.completedFuture(false)
        : CompletableFuture.supplyAsync(
            () -> false,
            CompletableFuture.delayedExecutor(
                seconds, TimeUnit.SECONDS, Thread::startVirtualThread));
  }

  private static long seconds(HttpResponse<?> response) {
    var header = response.header("Retry-After");
    try {
      return header == null ? 0 : Math.clamp(Long.parseLong(header.strip()), 0, LONGEST_SECONDS);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
