package dev.shipshape.webhook.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.identity.JsonLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches one resource, as client-go's reflector does: page by page, and each page and
 * event object by object as it arrives. What others have stored never becomes a tree before it is
 * known to be small enough, and memory does not grow with a page.
 */
public final class Reflector implements AutoCloseable {
  private static final int PAGE = 100;

  private static final Duration PAGE_PATIENCE = Duration.ofMinutes(2);

  /** After this the API server is asked to end a watch. */
  static final Duration LONGEST_WATCH = Duration.ofMinutes(2);

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
  public interface Sink {
    /** An object is there, or has changed, or is listed again as it was. */
    void put(BoundedObject object) throws IOException;

    /**
     * An object is gone.
     *
     * @param uid empty where it is not known
     */
    void remove(String key, String uid);

    /** All that is there has been put; called after each list. */
    default void listed() {}

    /** The keys of all objects that are there as far as is known. */
    Stream<String> keys();
  }

  private final String path;
  private final Duration longestWatch;
  private final Sink sink;
  private final ApiStream stream;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable String version;
  private volatile boolean synced;
  private volatile boolean watching;
  private final AtomicInteger proofs = new AtomicInteger();

  /**
   * @param longestWatch how long a watch may take; a dead connection is noticed soon after
   */
  Reflector(KubernetesClient client, String path, Duration longestWatch, Sink sink) {
    this.path = path;
    this.longestWatch = longestWatch;
    this.sink = sink;
    this.stream = new ApiStream(client, path);
  }

  /**
   * Begins; returns at once.
   *
   * @param failed told of each failure, after which it is tried again
   */
  void start(Consumer<Throwable> failed) {
    Thread.ofVirtual().name("reflector " + path).start(() -> follow(failed));
  }

  /** Whether everything that exists has been listed. */
  boolean hasSynced() {
    return synced;
  }

  /** Whether the watch stands. */
  boolean isWatching() {
    return watching;
  }

  /** How many events and orderly ends of watches there were: each proves that watches work. */
  int proofs() {
    return proofs.get();
  }

  @Override
  public void close() {
    closed.countDown();
    stream.close();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void follow(Consumer<Throwable> failed) {
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
        }
        watch();
      } catch (ApiStream.Gone e) {
        listed = false;
      } catch (IOException | RuntimeException e) {
        // A version from which no watch stands may be one that is not known any more.
        listed &= ++failures < FAILURES;
        if (!isClosed()) {
          failed.accept(e);
        }
      }
      watching = false;
      var stood = Duration.ofNanos(System.nanoTime() - began).compareTo(LONGEST_PAUSE) > 0;
      failures = stood || !listed ? 0 : failures;
      pause = stood ? FIRST_PAUSE : shorter(pause.multipliedBy(2), LONGEST_PAUSE);
      rest(pause);
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void rest(Duration pause) {
    try {
      var ignored = closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      close();
    }
  }

  private record Page(String next, String version) {}

  /** What is done with each object of a list. */
  @FunctionalInterface
  public interface Each {
    void take(JsonNode object) throws IOException;
  }

  /**
   * Reads all objects of a resource once; none if the API server does not serve it.
   *
   * @param path of the resource, such as {@code /api/v1/nodes}
   * @throws StartFailure if the API server refuses or does not answer, or an object is too large to
   *     be judged
   */
  public static void list(KubernetesClient client, String path, Each each) {
    record Objects(Each each) implements Sink {
      @Override
      public void put(BoundedObject object) throws IOException {
        each.take(object.tree());
      }

      @Override
      public void remove(String key, String uid) {}

      @Override
      public Stream<String> keys() {
        return Stream.empty();
      }
    }
    try {
      new Reflector(client, path, LONGEST_WATCH, new Objects(each)).list();
    } catch (IOException | KubernetesClientException e) {
      if (!(e instanceof KubernetesClientException refused
          && refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND)) {
        throw new StartFailure("could not list %s: %s".formatted(path, e.getMessage()), e);
      }
    }
  }

  /** Lists everything once. */
  private void list() throws IOException {
    var seen = new HashSet<String>();
    var page = page("limit=" + PAGE, seen);
    while (!page.next().isEmpty()) {
      var next = URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
      page = page("limit=%d&continue=%s".formatted(PAGE, next), seen);
    }
    sink.keys().filter(key -> !seen.contains(key)).toList().forEach(key -> sink.remove(key, ""));
    version = page.version();
    sink.listed();
  }

  private Page page(String query, Set<String> seen) throws IOException {
    return stream.read(
        query,
        PAGE_PATIENCE,
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

  private void items(JsonParser parser, Set<String> seen) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      var object = BoundedObject.read(parser);
      seen.add(object.key());
      sink.put(object);
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
          var parser = ANYTHING.createParser(answer);
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            event(parser);
            proofs.incrementAndGet();
          }
          proofs.incrementAndGet();
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
      case "ADDED", "MODIFIED" -> sink.put(object);
      case "DELETED" -> sink.remove(object.key(), object.uid());
      case "BOOKMARK" -> {
        // Its version is all that it brings.
      }
      default ->
          throw ApiStream.failure(object.tree().path("code").asInt(), object.tree().toString());
    }
    version = object.resourceVersion();
  }
}
