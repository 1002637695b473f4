package dev.shipshape.webhook.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches one resource for as long as the program runs, as client-go's reflector does:
 * page by page, and each page and event object by object as it arrives. What others have stored
 * never becomes a tree before it is known to be small enough, and memory does not grow with a page.
 *
 * <p>A connection may be dead without a sign of it. So each watch ends after two minutes, or after
 * the time after which nothing is decided any more if that is shorter; one that does not is cut.
 */
public final class Reflector implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Reflector.class);

  private static final int PAGE = 100;

  private static final Duration PAGE_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration LONGEST_WATCH = Duration.ofMinutes(2);

  /** Shorter watches would only load the API server. */
  private static final Duration SHORTEST_WATCH = Duration.ofSeconds(5);

  /** A watch that stood for this long has followed the API server. */
  private static final Duration STANDS = Duration.ofSeconds(1);

  /** After this much more a watch that does not end is dead, and is cut. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  /** So many watches in a row that do not stand, and all is listed anew. */
  private static final int FAILURES = 3;

  /** Whatever the API server can store, it says again. */
  private static final JsonFactory ANYTHING =
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

  /** Takes what is found. Called by one thread at a time. */
  @FunctionalInterface
  public interface Sink {
    /**
     * An object is there, or has changed, or is listed again as it was. If this throws, what was
     * known of the object is taken to be so still.
     */
    void put(BoundedObject object) throws IOException;

    /**
     * An object is gone.
     *
     * @param uid empty where it is not known
     */
    default void remove(String key, String uid) {}

    /** All that is there has been put; called after each list. */
    default void listed() {}

    /** The keys of all objects that are there as far as is known. */
    default Stream<String> keys() {
      return Stream.empty();
    }
  }

  private final String what;
  private final URL server;
  private final StalenessLimits limits;
  private final Duration longestWatch;
  private final Sink sink;
  private final ApiStream stream;
  private final boolean isOnce;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable String version;
  private volatile boolean synced;
  private volatile boolean watching;
  private volatile boolean notServed;
  private volatile String otherVersions = "";

  /** By a clock that nobody sets. */
  private volatile long followedAt = System.nanoTime();

  private volatile String lastFailure = "";

  private Reflector(
      String what,
      KubernetesClient client,
      String path,
      StalenessLimits limits,
      Sink sink,
      boolean isOnce) {
    this.what = what;
    this.isOnce = isOnce;
    this.server = client.getMasterUrl();
    this.limits = limits;
    this.longestWatch =
        Collections.max(List.of(shorter(limits.refuse(), LONGEST_WATCH), SHORTEST_WATCH));
    this.sink = sink;
    this.stream = new ApiStream(client, path);
  }

  /**
   * Begins to list; returns at once.
   *
   * @param what the objects, as messages name them
   * @param path where the API server has them
   * @param sink takes what is found, of each list and watch that is begun anew too
   */
  public static Reflector start(
      String what, KubernetesClient client, String path, StalenessLimits limits, Sink sink) {
    var reflector = new Reflector(what, client, path, limits, sink, false);
    Thread.ofVirtual().name("reflector " + path).start(reflector::follow);
    return reflector;
  }

  /** Whether everything that exists has been listed. */
  public boolean synced() {
    return synced;
  }

  /** Whether the API server serves the resource, as far as is known: not if it said "not found". */
  public boolean served() {
    return !notServed;
  }

  /** Whether the API server serves the resource, but in other versions only. */
  public boolean servedOtherwise() {
    return notServed && !otherVersions.isEmpty();
  }

  /** How long ago it was last known to follow the API server. */
  public Duration staleness() {
    return watching ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - followedAt);
  }

  /** Why nothing can be decided by what it brought, in one line; empty if it can. */
  public Optional<String> unavailableReason() {
    return synced
        ? staleBeyond(limits.refuse())
        : Optional.of("%s are not listed yet%s".formatted(what, afterColon()));
  }

  /**
   * Why the program should get no requests for its sake. Not so if the API server does not serve
   * the resource: there are no objects of it then, nor requests.
   */
  public Optional<String> notReadyReason() {
    return notServed
        ? Optional.empty()
        : synced ? staleBeyond(limits.unready()) : unavailableReason();
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
    closed.countDown();
    stream.close();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void follow() {
    var listed = false;
    var pause = FIRST_PAUSE;
    var failures = 0;
    while (!isClosed()) {
      var began = System.nanoTime();
      try {
        if (!listed) {
          list();
          listed = true;
          synced = true;
          began = System.nanoTime();
        }
        watch();
      } catch (ApiStream.Gone e) {
        listed = false;
      } catch (IOException | RuntimeException | Error e) {
        // A version from which no watch stands may be one that is not known any more.
        listed &= ++failures < FAILURES;
        if (!isClosed()) {
          failed(e);
        }
      }
      var lasted = Duration.ofNanos(System.nanoTime() - began);
      if (watching && lasted.compareTo(STANDS) > 0) {
        followedAt = System.nanoTime();
      }
      watching = false;
      var stood = lasted.compareTo(LONGEST_PAUSE) > 0;
      failures = stood || !listed ? 0 : failures;
      pause = stood ? FIRST_PAUSE : shorter(pause.multipliedBy(2), LONGEST_PAUSE);
      rest(pause);
    }
  }

  /** An event, or the orderly end of a watch: the next failure is another one. */
  private void worked() {
    followedAt = System.nanoTime();
    if (!lastFailure.isEmpty()) {
      logger.info("the watch of {} at {} works now", what, server);
      lastFailure = "";
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return Collections.min(List.of(one, other));
  }

  private void rest(Duration pause) {
    try {
      var ignored = closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      close();
    }
  }

  private record Page(String next, String version) {}

  /**
   * Reads all objects of a resource once; none if the API server does not serve it.
   *
   * @param path of the resource, such as {@code /api/v1/nodes}
   * @param sink takes each, and ends it all by an IOException
   * @throws StartFailure if the API server refuses or does not answer, or an object is too large to
   *     be judged
   */
  public static void list(KubernetesClient client, String path, Sink sink) {
    var limits = new StalenessLimits(LONGEST_WATCH, LONGEST_WATCH);
    try {
      new Reflector(path, client, path, limits, sink, true).list();
    } catch (IOException | KubernetesClientException e) {
      if (!(e instanceof KubernetesClientException refused
          && refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND)) {
        throw new StartFailure("could not list %s: %s".formatted(path, e.getMessage()), e);
      }
    }
  }

  /** Lists everything once. */
  private void list() throws IOException {
    // What comes meanwhile, as by a write of our own, may be in no page.
    var before = sink.keys().toList();
    var seen = new HashSet<String>();
    var page = page("limit=" + PAGE, seen);
    while (!page.next().isEmpty()) {
      var next = URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
      page = page("limit=%d&continue=%s".formatted(PAGE, next), seen);
    }
    before.stream().filter(key -> !seen.contains(key)).forEach(key -> sink.remove(key, ""));
    version = page.version();
    sink.listed();
  }

  private Page page(String query, Set<String> seen) throws IOException {
    return stream.read(
        query,
        PAGE_TIMEOUT,
        answer -> {
          var parser = ANYTHING.createParser(answer);
          var next = "";
          var at = "";
          parser.nextToken();
          while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = parser.currentName();
            parser.nextToken();
            if (field.equals("items")) {
              items(parser, seen);
            } else if (field.equals("metadata")) {
              JsonNode metadata = JsonLimits.MAPPER.readTree(parser);
              next = metadata.path("continue").asText();
              at = metadata.path("resourceVersion").asText();
            } else {
              parser.skipChildren();
            }
          }
          // A list that was cut off must not pass for a short one.
          if (parser.currentToken() != JsonToken.END_OBJECT || at.isEmpty()) {
            throw new IOException("the answer is not a whole list");
          }
          return new Page(next, at);
        });
  }

  /** One object, whatever it is, must not keep the others from being seen. */
  private void put(BoundedObject object) throws IOException {
    try {
      sink.put(object);
    } catch (IOException | RuntimeException e) {
      if (isOnce) {
        throw e;
      }
      logger.warn(
          "cannot judge {} {} (uid {}), and leaves it as it was known: {}",
          what,
          object.key(),
          object.uid(),
          e.getMessage());
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
            .formatted(version, longestWatch.toSeconds()),
        longestWatch.plus(shorter(longestWatch, GRACE)),
        answer -> {
          // The parser waits for the first event.
          watching = true;
          notServed = false;
          var parser = ANYTHING.createParser(answer);
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            event(parser);
            worked();
          }
          worked();
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
      case "DELETED" -> sink.remove(object.key(), object.uid());
      case "BOOKMARK" -> {
        // Its version is all that it brings.
      }
      default ->
          throw ApiStream.failure(object.tree().path("code").asInt(), object.tree().toString());
    }
    version = object.resourceVersion();
  }

  private void failed(Throwable failure) {
    var cause =
        failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure;
    notServed =
        cause instanceof KubernetesClientException e
            && e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    otherVersions = notServed ? stream.otherVersions() : "";
    var why = explain(cause);
    if (!why.equals(lastFailure)) {
      logger.warn("could not list and watch {} at {}, will try again: {}", what, server, why);
    }
    lastFailure = why;
  }

  private String explain(Throwable cause) {
    return switch (cause instanceof KubernetesClientException e ? e.getCode() : 0) {
      case HttpURLConnection.HTTP_NOT_FOUND ->
          otherVersions.isEmpty()
              ? "the API server does not serve them; is their CustomResourceDefinition installed?"
              : "the API server serves them as %s only; what is known invalid is refused on, nothing new is learned"
                  .formatted(otherVersions);
      case HttpURLConnection.HTTP_FORBIDDEN ->
          "not allowed; grant the verbs list and watch on them";
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          "the API server does not accept these credentials";
      default -> inOneLine(cause);
    };
  }

  /** Every cause in turn, in one line: only all of them name both the server and the fault. */
  private static String inOneLine(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .map(Throwable::toString)
        .collect(Collectors.joining(": "))
        .replaceAll("\\s+", " ");
  }
}
