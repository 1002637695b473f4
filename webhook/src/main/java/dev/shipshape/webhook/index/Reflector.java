package dev.shipshape.webhook.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.service.LogLimiter;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.StalenessLimits;
import dev.shipshape.webhook.identity.JsonLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches one resource until it is closed, as client-go's reflector does. Reads page by
 * page, and each page and event object by object as it arrives: an object is parsed to a tree only
 * after its size is checked, and memory does not grow with the page.
 *
 * <p>A dead connection may look alive. So each watch ends after two minutes, or after {@code
 * staleness.refuse} if that is shorter; a watch that does not end is aborted.
 */
public final class Reflector implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Reflector.class);

  private static final int PAGE_SIZE = 100;

  private static final Duration PAGE_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration MAX_WATCH = Duration.ofMinutes(2);

  /** Shorter watches would load the API server. */
  private static final Duration MIN_WATCH = Duration.ofSeconds(5);

  /** A watch that lasted at least this long was connected to the API server. */
  private static final Duration MIN_CONNECTED = Duration.ofSeconds(1);

  /** A watch that has not ended after this additional time is dead, and is aborted. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(8);

  /** After this many failed watches in a row, everything is listed again. */
  private static final int MAX_FAILURES = 3;

  private static final Comparator<String> VERSIONS =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  /** No limits: the API server may send any object that it has stored. */
  private static final JsonFactory UNLIMITED =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /** Handles listed and watched objects. Called by one thread at a time. */
  @FunctionalInterface
  public interface Handler {
    /** Also called for unchanged objects of a list. If this throws, the previous state stays. */
    void put(BoundedObject object) throws IOException;

    /** Removes an object; the uid is empty if not known. */
    default void remove(String key, String uid) {}

    /** The keys of all known objects. */
    default Stream<String> keys() {
      return Stream.empty();
    }
  }

  private final String resourceName;
  private final URL server;
  private final StalenessLimits limits;
  private final Duration watchTimeout;
  private final Handler handler;
  private final ApiStream stream;
  private final Thread thread;
  private final boolean isOnce;

  /** An event comes with each write of the status. */
  private final LogLimiter unjudged = new LogLimiter(Duration.ofHours(1), System::nanoTime);

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String version = "";
  private volatile boolean isSynced;
  private volatile boolean watching;

  /** The code of the last failure; 0 without a response, and once a watch has begun. */
  private volatile int failureCode;

  private volatile String otherVersions = "";

  /** Of System.nanoTime, which clock changes do not affect. */
  private volatile long lastConnected = System.nanoTime();

  private volatile String lastFailure = "";

  private Reflector(
      String resourceName,
      KubernetesClient client,
      String path,
      StalenessLimits limits,
      Handler handler,
      boolean isOnce) {
    this.resourceName = resourceName;
    this.isOnce = isOnce;
    this.server = client.getMasterUrl();
    this.limits = limits;
    this.watchTimeout = Collections.max(List.of(min(limits.refuse(), MAX_WATCH), MIN_WATCH));
    this.handler = handler;
    this.stream = new ApiStream(client, path);
    this.thread = Thread.ofVirtual().name("reflector " + path).unstarted(this::run);
  }

  /** Starts to list and returns. The handler gets each object again after each new list. */
  public static Reflector start(
      String resourceName,
      KubernetesClient client,
      String path,
      StalenessLimits limits,
      Handler handler) {
    var reflector = new Reflector(resourceName, client, path, limits, handler, false);
    reflector.thread.start();
    return reflector;
  }

  /** Whether the first list is complete. */
  public boolean isSynced() {
    return isSynced;
  }

  /** Whether the API server serves the resource; false only after "not found". */
  public boolean isServed() {
    return failureCode != HttpURLConnection.HTTP_NOT_FOUND;
  }

  /** Whether the API server serves the resource, but only in other versions. */
  public boolean isServedInOtherVersion() {
    return !isServed() && !otherVersions.isEmpty();
  }

  /**
   * Whether the API server itself fails for this resource, as with a broken conversion webhook, or
   * refuses it, as after an upgrade without its guard. After a start, only if that goes on.
   */
  public boolean isBrokenForAll() {
    return (failureCode >= HttpURLConnection.HTTP_INTERNAL_ERROR
            || failureCode == HttpURLConnection.HTTP_FORBIDDEN)
        && (isSynced || staleBeyond(limits.refuse()).isPresent());
  }

  public boolean isConnected() {
    return watching;
  }

  /** Time since the last sign of a working watch; zero while connected. */
  public Duration staleness() {
    return watching ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastConnected);
  }

  /** Why the objects must not be used for decisions, in one line; empty if they may. */
  public Optional<String> unavailableReason() {
    return isSynced
        ? staleBeyond(limits.refuse())
        : Optional.of("%s are not listed yet%s".formatted(resourceName, afterColon()));
  }

  /**
   * Why the program is not ready because of this resource. Empty if the API server does not serve
   * the resource: then there are no objects and no requests.
   */
  public Optional<String> notReadyReason() {
    return isServed()
        ? (isSynced ? staleBeyond(limits.unready()) : unavailableReason())
        : Optional.empty();
  }

  private Optional<String> staleBeyond(Duration limit) {
    var staleness = staleness();
    return staleness.compareTo(limit) <= 0
        ? Optional.empty()
        : Optional.of(
            "the watch of %s is lost for %d s%s"
                .formatted(resourceName, staleness.toSeconds(), afterColon()));
  }

  private String afterColon() {
    return lastFailure.isEmpty() ? "" : ": " + lastFailure;
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void run() {
    var listed = false;
    var pause = FIRST_PAUSE;
    var failures = 0;
    while (!isClosed()) {
      var began = System.nanoTime();
      try {
        listed = listed && !isAheadOfServer();
        if (!listed) {
          list();
          listed = true;
          isSynced = true;
          began = System.nanoTime();
        }
        watch();
      } catch (IOException | RuntimeException | Error e) {
        // While there was no server, its data may have been restored from a backup. Failures of
        // watches may come from an expired resourceVersion.
        listed &= watching && !(e instanceof ApiStream.Gone) && ++failures < MAX_FAILURES;
        if (!isClosed()) {
          failed(e);
        }
      }
      var lasted = Duration.ofNanos(System.nanoTime() - began);
      if (watching && lasted.compareTo(MIN_CONNECTED) > 0) {
        lastConnected = System.nanoTime();
      }
      watching = false;
      var wasLong = lasted.compareTo(min(MAX_PAUSE, watchTimeout.dividedBy(2))) > 0;
      failures = wasLong || !listed ? 0 : failures;
      pause = wasLong ? FIRST_PAUSE : min(pause.multipliedBy(2), MAX_PAUSE);
      sleep(pause);
    }
  }

  /** Called after an event or the normal end of a watch; the next failure is logged again. */
  private void connected() {
    lastConnected = System.nanoTime();
    if (!lastFailure.isEmpty()) {
      logger.info("the watch of {} at {} works again", resourceName, server);
      lastFailure = "";
    }
  }

  private static Duration min(Duration one, Duration other) {
    return Collections.min(List.of(one, other));
  }

  private void sleep(Duration pause) {
    try {
      var ignored = closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      close();
    }
  }

  private record Page(String next, String version) {}

  /**
   * Lists all objects of a resource once; none if the API server does not serve it in any version.
   *
   * @param path the URL path of the resource, such as {@code /api/v1/nodes}
   * @param handler gets each object; an IOException aborts the list
   * @throws StartFailure if the API server refuses or does not respond, or if an object exceeds the
   *     limits
   */
  public static void list(KubernetesClient client, String path, Handler handler) {
    var limits = new StalenessLimits(MAX_WATCH, MAX_WATCH);
    var once = new Reflector(path, client, path, limits, handler, true);
    try {
      once.list();
    } catch (IOException | KubernetesClientException e) {
      var isServed =
          !(e instanceof KubernetesClientException refused
              && refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND);
      var others = isServed ? "" : once.otherVersions();
      if (isServed || !others.isEmpty()) {
        var why = isServed ? e.getMessage() : "the API server serves them as " + others + " only";
        throw new StartFailure("could not list %s: %s".formatted(path, why), e);
      }
    }
  }

  /** Lists all objects and removes the others. */
  private void list() throws IOException {
    // An object that is added during the list, such as by an own write, may be in no page.
    var before = handler.keys().toList();
    var seen = new HashSet<String>();
    var page = page("limit=" + PAGE_SIZE, seen);
    while (!page.next().isEmpty()) {
      var next = URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
      page = page("limit=%d&continue=%s".formatted(PAGE_SIZE, next), seen);
    }
    before.stream().filter(key -> !seen.contains(key)).forEach(key -> handler.remove(key, ""));
    version = page.version();
  }

  /**
   * Whether the API server's data was restored from a backup: then a watch from here on sends
   * nothing, and looks as if nothing had changed. Versions are decimal numbers.
   */
  private boolean isAheadOfServer() throws IOException {
    // With a selector that no object meets, the API server would look at all of a namespaced kind.
    var now = page("limit=1", null).version();
    var isAhead = VERSIONS.compare(version, now) > 0;
    if (isAhead) {
      logger.warn(
          "{} at {} are at version {}, which is before {}: listing them again",
          resourceName,
          server,
          now,
          version);
    }
    return isAhead;
  }

  /** Reads a page; null skips its objects. */
  private Page page(String query, @Nullable Set<String> seen) throws IOException {
    return stream.read(
        query,
        PAGE_TIMEOUT,
        body -> {
          var parser = UNLIMITED.createParser(body);
          var next = "";
          var at = "";
          parser.nextToken();
          while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = parser.currentName();
            parser.nextToken();
            if (field.equals("items") && seen != null) {
              items(parser, seen);
            } else if (field.equals("metadata")) {
              JsonNode metadata = JsonLimits.MAPPER.readTree(parser);
              next = metadata.path("continue").asText();
              at = metadata.path("resourceVersion").asText();
            } else {
              parser.skipChildren();
            }
          }
          // Do not accept an incomplete response as a short list.
          if (parser.currentToken() != JsonToken.END_OBJECT || at.isEmpty()) {
            throw new IOException("the response is not a complete list");
          }
          return new Page(next, at);
        });
  }

  /** Logs an object that fails, so that the others are still handled. */
  private void put(BoundedObject object) throws IOException {
    try {
      handler.put(object);
    } catch (IOException | RuntimeException e) {
      if (isOnce) {
        throw new IOException(object.key() + ": " + e.getMessage(), e);
      }
      if (unjudged.isDue(LogLimiter.line(object.uid() + e.getMessage()))) {
        logger.warn(
            "cannot judge {} {} (uid {}), so its last known state still counts: {}",
            resourceName,
            object.key(),
            object.uid(),
            e.getMessage());
      }
    }
  }

  private void items(JsonParser parser, Set<String> seen) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      var object = BoundedObject.read(parser);
      seen.add(object.key());
      put(object);
    }
  }

  private void watch() throws IOException {
    stream.read(
        "watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
            .formatted(version, watchTimeout.toSeconds()),
        watchTimeout.plus(min(watchTimeout, GRACE)),
        body -> {
          // The next call blocks until the first event.
          watching = true;
          failureCode = 0;
          var parser = UNLIMITED.createParser(body);
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            event(parser);
            connected();
          }
          connected();
          return "ended";
        });
  }

  private void event(JsonParser parser) throws IOException {
    var type = "";
    BoundedObject object = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var field = parser.currentName();
      parser.nextToken();
      if (field.equals("type")) {
        type = parser.getText();
      } else if (field.equals("object")) {
        object = BoundedObject.read(parser);
      } else {
        parser.skipChildren();
      }
    }
    if (object == null) {
      throw new IOException("an event without an object");
    }
    switch (type) {
      case "ADDED", "MODIFIED" -> put(object);
      case "DELETED" -> handler.remove(object.key(), object.uid());
      case "BOOKMARK" -> {
        // A bookmark has only a resourceVersion.
      }
      default ->
          throw ApiStream.failure(object.tree().path("code").asInt(), object.tree().toString());
    }
    version = object.resourceVersion();
  }

  private void failed(Throwable failure) {
    failureCode = failure instanceof KubernetesClientException e ? e.getCode() : 0;
    otherVersions = isServed() ? "" : otherVersions();
    var reason = explain(failure);
    if (!reason.equals(lastFailure)) {
      logger.warn(
          "could not list and watch {} at {}, will try again: {}", resourceName, server, reason);
    }
    lastFailure = reason;
  }

  private String otherVersions() {
    try {
      return stream.otherVersions();
    } catch (KubernetesClientException e) {
      logger.debug("could not look for other versions of {}", resourceName, e);
      return "";
    }
  }

  private String explain(Throwable failure) {
    if (isServed()) {
      // All causes in one line: only together do they name the server and the error.
      return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
          .map(Throwable::toString)
          .collect(Collectors.joining(": "))
          .replaceAll("\\s+", " ");
    }
    return otherVersions.isEmpty()
        ? "the API server does not serve them; is their CustomResourceDefinition installed?"
        : "the API server serves them as %s only; new failures are not learned, and once their definition no longer has the guard's version, nothing is refused"
            .formatted(otherVersions);
  }
}
