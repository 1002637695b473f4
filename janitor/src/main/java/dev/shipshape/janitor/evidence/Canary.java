package dev.shipshape.janitor.evidence;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.ListPages;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Lists and watches what the operator lists and watches, as it should: one object, then the watch
 * from the version that the list gave, which is left as soon as it is answered. Where that too is
 * answered with a 500, it is not the operator's own mistake. A 410 is normal: that version is too
 * old, and one lists again.
 */
final class Canary {
  private final KubernetesApi api;
  private final List<String> collections;
  private final int repetitions;
  private final Continuity continuity;
  private int failures;

  /**
   * @param collections paths of lists, each with a query; one that is not served is left out
   * @param repetitions so many looks in a row must fail
   * @param longestGap between two looks of one row
   */
  Canary(KubernetesApi api, List<String> collections, int repetitions, Duration longestGap) {
    this.api = api;
    this.collections = collections;
    this.repetitions = repetitions;
    this.continuity = new Continuity(longestGap);
  }

  synchronized Evidence look(Instant now) {
    if (continuity.isBroken(now)) {
      failures = 0;
    }
    for (var collection : collections) {
      try {
        listAndWatch(collection);
      } catch (ApiFailure e) {
        switch (e.code()) {
          case 500 -> {
            continuity.looked(now);
            return failed(String.valueOf(e.getMessage()));
          }
          case 404, 410 -> {}
          // Not to know is neither: it breaks no row, or what lasts would be told as new after each
          // look that a busy server put off. A time of such looks alone is a gap.
          default -> {
            return new Evidence.Unknown(String.valueOf(e.getMessage()));
          }
        }
      }
    }
    continuity.looked(now);
    failures = 0;
    return new Evidence.Absent();
  }

  private Evidence failed(String message) {
    failures++;
    return failures >= repetitions
        ? new Evidence.Present("%d looks in a row: %s".formatted(failures, message))
        : new Evidence.Absent();
  }

  private void listAndWatch(String collection) {
    var list = api.require(collection + "&limit=1").body();
    var watch =
        "%s&watch=1&timeoutSeconds=1&resourceVersion=%s"
            .formatted(collection, list.path("metadata").path("resourceVersion").asText());
    api.stream(watch, ListPages.METADATA_WATCH, (head, _) -> head);
  }
}
