package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.pace.StopSignal;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Waits until objects of one collection are gone, by uid, with one watch for all of them. Where the
 * watch ends or its version is too old (410), it lists again and goes on.
 */
public final class Departures {
  private static final Duration RELIST_PAUSE = Duration.ofSeconds(1);
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

  /**
   * Waits.
   *
   * @return the uids still there at the deadline or when told to stop, each with what holds it
   * @throws ApiFailure where the collection cannot be listed
   */
  public Map<String, String> await(Set<String> uids, Duration deadline) {
    var end = System.nanoTime() + deadline.toNanos();
    var remaining = new HashMap<String, String>();
    while (true) {
      remaining.clear();
      var version = list(uids, remaining);
      var left = Duration.ofNanos(end - System.nanoTime());
      if (remaining.isEmpty() || !left.isPositive() || stop.isStopped()) {
        return remaining;
      }
      watch(version, left, remaining);
      if (remaining.isEmpty() || !stop.pause(RELIST_PAUSE)) {
        return remaining;
      }
    }
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

  private void watch(String version, Duration left, Map<String, String> remaining) {
    var query = collection.contains("?") ? "&" : "?";
    var seconds = Math.max(1, left.toSeconds());
    var path =
        "%s%swatch=1&resourceVersion=%s&timeoutSeconds=%d"
            .formatted(collection, query, version, seconds);
    try {
      var most = left.plus(RELIST_PAUSE);
      api.stream(path, ListPages.METADATA_WATCH, most, (_, body) -> follow(body, remaining));
    } catch (ApiFailure e) {
      // Listing again tells the truth; it also tells what is wrong, where that lasts.
    }
  }

  private static boolean follow(InputStream body, Map<String, String> remaining)
      throws IOException {
    try (MappingIterator<JsonNode> events = MAPPER.readerFor(JsonNode.class).readValues(body)) {
      while (!remaining.isEmpty() && events.hasNextValue()) {
        var event = events.nextValue();
        var object = event.path("object");
        var uid = object.path("metadata").path("uid").asText();
        switch (event.path("type").asText()) {
          case "DELETED" -> remaining.remove(uid);
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

  private static String holding(JsonNode object) {
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
