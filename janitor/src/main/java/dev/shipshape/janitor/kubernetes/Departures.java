package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.pace.Backoff;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TimeLeft;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Waits until objects of one collection are gone, by uid, with one watch for all of them. Where the
 * watch ends or its version is too old (410), it lists again and goes on; and where that fails too,
 * it keeps what it knows and tries again later, for an API server restarts now and then.
 */
public final class Departures {
  private static final Duration RELIST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** Said of what no list has shown yet. */
  private static final String UNSEEN = "could not be watched: ";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final KubernetesApi api;
  private final String collection;
  private final StopSignal stop;

  /**
   * @param collection the collection's path; with a query where only a part of it need be watched
   */
  public Departures(KubernetesApi api, String collection, StopSignal stop) {
    this.api = api;
    this.collection = collection;
    this.stop = stop;
  }

  /** As {@link #await(Set, Duration, Consumer)}, where it is enough to know it at the end. */
  public Map<String, String> await(Set<String> uids, Duration deadline) {
    return await(uids, deadline, _ -> {});
  }

  /**
   * Waits.
   *
   * @param gone told of each as soon as it is seen to be gone
   * @return the uids still there at the deadline or when told to stop, each with what holds it; or
   *     with why that is not known
   */
  public Map<String, String> await(Set<String> uids, Duration deadline, Consumer<String> gone) {
    var end = System.nanoTime() + deadline.toNanos();
    var backoff = new Backoff(RELIST_PAUSE, LONGEST_PAUSE);
    var remaining = new HashMap<String, String>();
    uids.forEach(uid -> remaining.put(uid, UNSEEN));
    while (true) {
      var pause = RELIST_PAUSE;
      try {
        var found = new HashMap<String, String>();
        var version = list(uids, found);
        var absent = remaining.keySet().stream().filter(uid -> !found.containsKey(uid)).toList();
        remaining.clear();
        remaining.putAll(found);
        absent.forEach(gone);
        backoff.reset();
        if (remaining.isEmpty() || isOver(end)) {
          return remaining;
        }
        watch(version, TimeLeft.until(end), remaining, gone);
      } catch (ApiFailure e) {
        remaining.replaceAll(
            (_, holding) -> holding.startsWith(UNSEEN) ? UNSEEN + e.getMessage() : holding);
        pause = backoff.next(e.retryAfter());
      }
      if (remaining.isEmpty() || isOver(end) || !stop.pause(shorter(pause, TimeLeft.until(end)))) {
        return remaining;
      }
    }
  }

  private boolean isOver(long end) {
    return TimeLeft.until(end).isZero() || stop.isStopped();
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private String list(Set<String> uids, Map<String, String> remaining) {
    return new ListPages(api)
        .read(
            collection,
            ListPages.METADATA,
            object -> {
              var uid = object.path("metadata").path("uid").asText();
              if (uids.contains(uid)) {
                remaining.put(uid, holding(object));
              }
            })
        .resourceVersion();
  }

  private void watch(
      String version, Duration left, Map<String, String> remaining, Consumer<String> gone) {
    var query = collection.contains("?") ? "&" : "?";
    var seconds = Math.max(1, left.toSeconds());
    var path =
        "%s%swatch=1&resourceVersion=%s&timeoutSeconds=%d"
            .formatted(collection, query, version, seconds);
    try {
      var most = left.plus(RELIST_PAUSE);
      api.stream(path, ListPages.METADATA_WATCH, most, (_, body) -> heed(body, remaining, gone));
    } catch (ApiFailure e) {
      // Listing again tells the truth; it also tells what is wrong, where that lasts.
    }
  }

  /** Follows until told to stop. */
  private boolean heed(InputStream body, Map<String, String> remaining, Consumer<String> gone)
      throws IOException {
    Runnable cut = () -> close(body);
    stop.atStop(cut);
    try {
      return follow(body, remaining, gone);
    } finally {
      stop.notAtStop(cut);
    }
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException ignored) {
      // It is given up anyway.
    }
  }

  private static boolean follow(
      InputStream body, Map<String, String> remaining, Consumer<String> gone) throws IOException {
    try (MappingIterator<JsonNode> events = MAPPER.readerFor(JsonNode.class).readValues(body)) {
      while (!remaining.isEmpty() && events.hasNextValue()) {
        var event = events.nextValue();
        var object = event.path("object");
        var uid = object.path("metadata").path("uid").asText();
        switch (event.path("type").asText()) {
          case "DELETED" -> {
            if (remaining.remove(uid) != null) {
              gone.accept(uid);
            }
          }
          case "MODIFIED" -> remaining.computeIfPresent(uid, (_, _) -> holding(object));
          case "ERROR" -> {
            return false;
          }
          default -> {}
        }
      }
      return true;
    }
  }

  /** What holds an object that was deleted. */
  public static String holding(JsonNode object) {
    var metadata = object.path("metadata");
    var finalizers = new ArrayList<String>();
    metadata.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
    if (metadata.path("deletionTimestamp").isMissingNode()) {
      return "not marked for deletion";
    }
    return finalizers.isEmpty()
        ? "marked for deletion, without finalizers"
        : "finalizers " + String.join(", ", finalizers);
  }
}
