package dev.shipshape.janitor.evidence;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.ListPages;
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
  private int failures;

  /**
   * @param collections paths of lists, each with a query; one that is not served is left out
   * @param repetitions so many looks in a row must fail
   */
  Canary(KubernetesApi api, List<String> collections, int repetitions) {
    this.api = api;
    this.collections = collections;
    this.repetitions = repetitions;
  }

  synchronized Evidence look() {
    for (var collection : collections) {
      try {
        listAndWatch(collection);
      } catch (ApiFailure e) {
        switch (e.code()) {
          case 500 -> {
            return failed(String.valueOf(e.getMessage()));
          }
          case 404, 410 -> {}
          default -> {
            return new Evidence.Unknown(String.valueOf(e.getMessage()));
          }
        }
      }
    }
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
