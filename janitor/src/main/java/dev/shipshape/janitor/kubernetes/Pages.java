package dev.shipshape.janitor.kubernetes;

import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a list in pages and holds at most three of them in memory. */
public final class Pages {
  private static final long SIZE = 50;

  /** The size of a page of pods: 50 with all their settings are more than a small heap holds. */
  public static final long FEW = 10;

  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private Pages() {}

  /**
   * Returns the objects of a list. Reads the first page at once, the others when the stream reaches
   * them.
   *
   * @param list reads one page
   * @throws KubernetesClientException if a page cannot be read, here or from the stream; the caller
   *     must discard the list then. Code 410: the continue token has expired; list again
   */
  public static <T extends HasMetadata> Stream<T> of(
      Function<ListOptions, ? extends KubernetesResourceList<T>> list) {
    return of(list, SIZE);
  }

  /**
   * As above, for large objects.
   *
   * @param size of a page
   */
  public static <T extends HasMetadata> Stream<T> of(
      Function<ListOptions, ? extends KubernetesResourceList<T>> list, long size) {
    return Stream.<@Nullable KubernetesResourceList<T>>iterate(
            page(list, "", size),
            Objects::nonNull,
            page -> next(list, Objects.requireNonNull(page), size))
        // A list of metadata that is empty has null items.
        .flatMap(page -> Stream.ofNullable(Objects.requireNonNull(page).getItems()))
        .flatMap(List::stream);
  }

  private static <T extends HasMetadata> @Nullable KubernetesResourceList<T> next(
      Function<ListOptions, ? extends KubernetesResourceList<T>> list,
      KubernetesResourceList<T> page,
      long size) {
    var token = token(page);
    if (token.isEmpty()) {
      return null;
    }
    var next = page(list, token, size);
    if (token.equals(token(next))) {
      throw new KubernetesClientException(
          "could not list: the API server sent the same continue token twice; check whether a proxy"
              + " before it drops the query");
    }
    return next;
  }

  private static <T extends HasMetadata> KubernetesResourceList<T> page(
      Function<ListOptions, ? extends KubernetesResourceList<T>> list, String token, long size) {
    var options = new ListOptionsBuilder().withLimit(size);
    var next = (token.isEmpty() ? options : options.withContinue(token)).build();
    KubernetesResourceList<T> page = await(() -> list.apply(next), TIMEOUT);
    return ApiConnection.requireList(page, "could not list");
  }

  /** Limits the wait: if the library's thread runs out of memory, the answer is lost in silence. */
  static <T> T await(Callable<T> call, Duration timeout) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads.invokeAny(List.of(call), timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KubernetesClientException failure
          ? failure
          : new KubernetesClientException("could not list: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new KubernetesClientException(
          "could not list: no answer within %s; is the memory limit too small for a page?"
              .formatted(timeout),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("could not list: interrupted", e);
    }
  }

  private static String token(KubernetesResourceList<?> page) {
    return Objects.requireNonNullElse(page.getMetadata().getContinue(), "");
  }
}
