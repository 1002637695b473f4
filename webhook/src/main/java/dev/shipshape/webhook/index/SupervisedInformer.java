package dev.shipshape.webhook.index;

import dev.shipshape.webhook.config.StalenessLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
 *
 * <p>A connection may be dead without a sign of it. So each watch ends after two minutes, or after
 * the time after which nothing is decided any more if that is shorter; one that does not is cut.
 */
public final class SupervisedInformer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(SupervisedInformer.class);

  /** Shorter watches would only load the API server. */
  private static final Duration SHORTEST_WATCH = Duration.ofSeconds(5);

  private final String what;
  private final URL server;
  private final StalenessLimits limits;
  private final Reflector informer;

  /** When it was last known to follow, by a clock that nobody sets. */
  private volatile long followedAt = System.nanoTime();

  private volatile int proofs;
  private volatile String lastFailure = "";
  private volatile boolean notServed;

  private SupervisedInformer(
      String what,
      KubernetesClient client,
      String path,
      StalenessLimits limits,
      Reflector.Sink sink) {
    this.what = what;
    this.server = client.getMasterUrl();
    this.limits = limits;
    this.informer = new Reflector(client, path, longestWatch(limits.refuse()), sink);
  }

  /**
   * Begins to list; returns at once.
   *
   * @param what the objects, as messages name them
   * @param path where the API server has them
   * @param sink takes what is found, of each list and watch that is begun anew too
   */
  public static SupervisedInformer start(
      String what,
      KubernetesClient client,
      String path,
      StalenessLimits limits,
      Reflector.Sink sink) {
    var following = new SupervisedInformer(what, client, path, limits, sink);
    following.informer.start(following::failed);
    return following;
  }

  /** Whether everything that exists has been listed. */
  public boolean synced() {
    return informer.hasSynced();
  }

  /**
   * Whether the API server serves the resource, as far as is known: not where it said "not found".
   */
  public boolean served() {
    return !notServed;
  }

  /** To be called often. */
  public void refresh() {
    if (!informer.isWatching()) {
      return;
    }
    followedAt = System.nanoTime();
    notServed = false;
    var seen = informer.proofs();
    if (seen != proofs) {
      proofs = seen;
      forgetFailure();
    }
  }

  /** The next failure is another one. */
  private void forgetFailure() {
    if (!lastFailure.isEmpty()) {
      logger.info("the watch of {} at {} works now", what, server);
      lastFailure = "";
    }
  }

  private static Duration longestWatch(Duration refuse) {
    var most = refuse.compareTo(Reflector.LONGEST_WATCH) < 0 ? refuse : Reflector.LONGEST_WATCH;
    return most.compareTo(SHORTEST_WATCH) < 0 ? SHORTEST_WATCH : most;
  }

  /** How long ago it was last known to follow the API server. */
  public Duration staleness() {
    return Duration.ofNanos(System.nanoTime() - followedAt);
  }

  /** Why nothing can be decided by what it brought, in one line; empty where it can. */
  public Optional<String> unavailableReason() {
    if (!synced()) {
      return Optional.of("%s are not listed yet%s".formatted(what, afterColon()));
    }
    return staleBeyond(limits.refuse());
  }

  /**
   * Why the program should get no requests for its sake. Not so where the API server does not serve
   * the resource: there are no objects of it then, nor requests.
   */
  public Optional<String> notReadyReason() {
    return notServed
        ? Optional.empty()
        : synced() ? staleBeyond(limits.unready()) : unavailableReason();
  }

  private Optional<String> staleBeyond(Duration limit) {
    var staleness = staleness();
    return staleness.compareTo(limit) <= 0
        ? Optional.empty()
        : Optional.of(
            "no news of %s from the API server for %d s%s"
                .formatted(what, staleness.toSeconds(), afterColon()));
  }

  private String afterColon() {
    return lastFailure.isEmpty() ? "" : ": " + lastFailure;
  }

  @Override
  public void close() {
    informer.close();
  }

  private void failed(Throwable failure) {
    var cause =
        failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure;
    notServed =
        cause instanceof KubernetesClientException e
            && e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    var why = explain(cause);
    if (!why.equals(lastFailure)) {
      logger.warn("could not list and watch {} at {}, will try again: {}", what, server, why);
    }
    lastFailure = why;
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
