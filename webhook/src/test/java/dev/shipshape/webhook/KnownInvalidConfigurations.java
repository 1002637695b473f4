package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;

/** The KnownInvalidConfigurations of a cluster, as anybody sees and writes them. */
final class KnownInvalidConfigurations {
  private KnownInvalidConfigurations() {}

  /** Those that were learned from an object of this name. */
  static List<JsonNode> of(Api api, String source) throws Exception {
    var items = api.get(Api.KNOWN_INVALID).expect(200).body().path("items");
    return StreamSupport.stream(items.spliterator(), false)
        .filter(item -> item.at("/spec/source/name").asText().equals(source))
        .toList();
  }

  /** Their verdicts. */
  static List<String> verdicts(Api api, String source) throws Exception {
    return of(api, source).stream().map(item -> item.at("/spec/verdict").asText()).toList();
  }

  static void blame(Api api, String source) throws Exception {
    set(api, source, "Invalid");
  }

  static void clear(Api api, String source) throws Exception {
    set(api, source, "Cleared");
  }

  /** As {@code kubectl patch} does it. */
  private static void set(Api api, String source, String verdict) throws Exception {
    for (var item : of(api, source)) {
      api.merge(
              path(item) + "?fieldManager=kubectl-patch",
              json("{spec: {verdict: '%s'}}".formatted(verdict)))
          .expect(200);
    }
  }

  static void delete(Api api, String source) throws Exception {
    for (var item : of(api, source)) {
      api.delete(path(item)).expect(200);
    }
  }

  static String path(JsonNode item) {
    return Api.KNOWN_INVALID + "/" + item.at("/metadata/name").asText();
  }
}
