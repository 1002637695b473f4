package dev.shipshape.webhook.index;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.net.URL;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One list and watch, kept up for as long as the program runs: a first list that fails is tried
 * again, as is a watch that breaks. Knows how current what it brought is.
 */
public final class Following implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Following.class);

  private final String what;
  private final URL server;
  private final StalenessLimits limits;
  private final SharedIndexInformer<?> informer;
  private final Freshness freshness = new Freshness(System::nanoTime);
  private volatile String lastFailure = "no failure was seen";
  private volatile boolean notServed;

  private Following(
      String what, URL server, StalenessLimits limits, SharedIndexInformer<?> informer) {
    this.what = what;
    this.server = server;
    this.limits = limits;
    this.informer = informer;
  }

  /**
   * Begins to list; returns at once.
   *
   * @param what the objects, as messages name them
   */
  public static Following start(
      String what, URL server, StalenessLimits limits, SharedIndexInformer<?> informer) {
    var following = new Following(what, server, limits, informer);
    // What comes of it is seen by the exception handler and by synced().
    var ignored = informer.exceptionHandler(following::failed).start();
    return following;
  }

  /** Whether everything that exists has been listed. */
  public boolean synced() {
    return informer.hasSynced();
  }

  /** To be called often: the library says whether it watches, but not since when it does not. */
  public void look() {
    if (informer.isWatching()) {
      freshness.follows();
      notServed = false;
    }
  }

  /** How long ago it was last known to follow the API server. */
  public Duration staleness() {
    return freshness.staleness();
  }

  /** Why nothing can be decided by what it brought, in one line; empty where it can. */
  public Optional<String> unusable() {
    if (!synced()) {
      return Optional.of("%s are not listed yet: %s".formatted(what, lastFailure));
    }
    return staleBeyond(limits.refuse());
  }

  /**
   * Why the program should get no requests for its sake. Not so where the API server does not serve
   * the resource: there are no objects of it then, nor requests.
   */
  public Optional<String> missing() {
    return notServed ? Optional.empty() : synced() ? staleBeyond(limits.unready()) : unusable();
  }

  private Optional<String> staleBeyond(Duration limit) {
    var staleness = staleness();
    return staleness.compareTo(limit) <= 0
        ? Optional.empty()
        : Optional.of(
            "%s have not been watched for %d s: %s"
                .formatted(what, staleness.toSeconds(), lastFailure));
  }

  @Override
  public void close() {
    informer.close();
  }

  private boolean failed(boolean started, Throwable failure) {
    var cause =
        failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure;
    notServed =
        cause instanceof KubernetesClientException e
            && e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    lastFailure = explain(cause);
    logger.warn("could not list and watch {} at {}, will try again: {}", what, server, lastFailure);
    return true;
  }

  private static String explain(Throwable cause) {
    if (cause instanceof KubernetesClientException e) {
      switch (e.getCode()) {
        case HttpURLConnection.HTTP_NOT_FOUND -> {
          return "the API server does not serve them; is their CustomResourceDefinition installed?";
        }
        case HttpURLConnection.HTTP_FORBIDDEN -> {
          return "not allowed; grant the verbs list and watch on them";
        }
        case HttpURLConnection.HTTP_UNAUTHORIZED -> {
          return "the API server does not accept these credentials";
        }
        default -> {
          // Below: the library's own words, which name the address and the cause.
        }
      }
    }
    return inOneLine(cause);
  }

  /** Every cause in turn, in one line: only all of them name both the server and the fault. */
  private static String inOneLine(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .map(Throwable::toString)
        .collect(Collectors.joining(": "))
        .replaceAll("\\s+", " ");
  }
}
