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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One list and watch, kept up for as long as the program runs: a first list that fails is tried
 * again, as is a watch that breaks. Knows how current what it brought is.
 *
 * <p>A connection may be dead without anybody being told, and the library then watches it for
 * minutes. So a watch that has been silent for some time counts only while a short one beside it
 * finds that there was nothing to say; one that has missed something is begun anew.
 */
public final class SupervisedInformer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(SupervisedInformer.class);

  /** As long as this a silent watch counts at least, so that there is time to ask. */
  private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(5);

  /**
   * As long as this at most: above twice the minute after which the API server sends a bookmark, by
   * which alone most quiet watches are seen to live.
   */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(150);

  private final String what;
  private final URL server;
  private final StalenessLimits limits;
  private final Duration longestSilence;
  private final Supplier<Reflector> reflectors;
  private final WatchLivenessCheck shortWatch;

  /** Since when the watch does not stand. */
  private final LastSync freshness = new LastSync(System::nanoTime);

  /** Since when it is not proved that the watch misses nothing. */
  private final LastSync silence = new LastSync(System::nanoTime);

  private final LastSync asked = new LastSync(System::nanoTime);
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Reflector informer;
  private volatile boolean closed;
  private volatile boolean synced;
  private volatile String version = "";
  private volatile String missedSince = "";
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
    this.longestSilence = longestSilence(limits.refuse());
    this.reflectors = () -> new Reflector(client, path, sink);
    this.shortWatch = new WatchLivenessCheck(client, path);
    this.informer = reflectors.get();
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
    following.begin(following.informer);
    return following;
  }

  private void begin(Reflector beginning) {
    beginning.start(this::failed);
  }

  /** Whether everything that exists has been listed. */
  public boolean synced() {
    synced |= informer.hasSynced();
    return synced;
  }

  /**
   * Whether the API server serves the resource, as far as is known: not where it said "not found".
   */
  public boolean served() {
    return !notServed;
  }

  /** To be called often: the library says whether it watches, but not since when it does not. */
  public void refresh() {
    var looked = informer;
    var seen = looked.lastSyncResourceVersion();
    if (seen == null) {
      return;
    }
    if (looked.isWatching()) {
      freshness.follows();
      notServed = false;
    }
    // Where it does not watch, too: it may wait for an answer that never comes.
    if (!seen.equals(version)) {
      version = seen;
      silence.follows();
      forgetFailure(looked);
    } else if (isLonger(silence, 2) && isLonger(asked, 4) && asking.compareAndSet(false, true)) {
      asked.follows();
      var ignored = Thread.ofVirtual().name("short-watch").start(() -> ask(seen));
    }
  }

  private boolean isLonger(LastSync than, int part) {
    return than.staleness().multipliedBy(part).compareTo(longestSilence) > 0;
  }

  private void ask(String since) {
    try {
      if (shortWatch.bringsNothingSince(since)) {
        silence.follows();
        forgetFailure(informer);
      } else if (missedSince.equals(since)) {
        beginAnew();
      } else {
        // The long watch may be a moment behind: the next answer tells.
        missedSince = since;
      }
    } catch (RuntimeException e) {
      lastFailure = explain(e);
    } finally {
      asking.set(false);
    }
  }

  /** Once it watches and is proved to miss nothing: the next failure is another one. */
  private void forgetFailure(Reflector proved) {
    if (proved.isWatching() && !lastFailure.isEmpty()) {
      logger.info("the watch of {} at {} works now", what, server);
      lastFailure = "";
    }
  }

  private synchronized void beginAnew() {
    if (closed) {
      return;
    }
    logger.warn("the watch of {} at {} misses events and begins again", what, server);
    informer.close();
    missedSince = "";
    var next = reflectors.get();
    begin(next);
    informer = next;
  }

  private static Duration longestSilence(Duration refuse) {
    var most = refuse.compareTo(LONGEST_SILENCE) < 0 ? refuse : LONGEST_SILENCE;
    return most.compareTo(SHORTEST_SILENCE) < 0 ? SHORTEST_SILENCE : most;
  }

  /** How long ago it was last known to follow the API server. */
  public Duration staleness() {
    var silent = silence.staleness();
    var lost = freshness.staleness();
    return silent.compareTo(longestSilence) > 0 && silent.compareTo(lost) > 0 ? silent : lost;
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
  public synchronized void close() {
    closed = true;
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
