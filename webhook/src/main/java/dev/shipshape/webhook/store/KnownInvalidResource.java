package dev.shipshape.webhook.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.Evidence;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.Verdict;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Converts KnownInvalidConfigurations to and from JSON. */
public final class KnownInvalidResource {
  static final String KIND = "KnownInvalidConfiguration";

  /** The field manager of the webhook's own writes. */
  static final String FIELD_MANAGER = "shipshape-webhook";

  private static final int MAX_TEXT_LENGTH = 1024;
  private static final int MAX_NAMED_NODES = 3;
  private static final JsonMapper MAPPER = new JsonMapper();

  private KnownInvalidResource() {}

  private static ObjectNode of(ConfigurationKey key, Verdict verdict) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "shipshape.dev/v1alpha1").put("kind", KIND);
    object.putObject("metadata").put("name", key.objectName());
    var spec = object.putObject("spec").put("guard", key.guard());
    putUnlessEmpty(spec, "namespace", key.namespace());
    spec.put("hash", key.hash().toString()).put("verdict", verdict.toString());
    return object;
  }

  private static void putUnlessEmpty(ObjectNode object, String field, String text) {
    if (!text.isEmpty()) {
      object.put(field, text);
    }
  }

  /**
   * One that makes older status reports not count.
   *
   * @param at changes the object also if it is cleared already, so that the API server dates it
   */
  static ObjectNode cleared(ConfigurationKey key, Instant at) {
    var object = of(key, Verdict.CLEARED);
    object.withObject("/spec").put("clearedAt", at.toString());
    return object;
  }

  static ObjectNode of(KnownInvalidConfiguration known) {
    var object = of(known.key(), known.verdict());
    var spec =
        object
            .withObject("/spec")
            .put("reason", cut(known.reason()))
            .put("holdsSecrets", known.holdsSecrets());
    if (known.verdict() == Verdict.CLEARED) {
      spec.put("clearedAt", known.clearedAt().toString());
    }
    var source = known.source();
    putUnlessEmpty(
        spec.putObject("source").put("kind", source.kind()).put("name", source.name()),
        "uid",
        source.uid());
    var failures = spec.putObject("failures");
    known
        .failures()
        .forEach(
            (node, failure) ->
                failures
                    .putObject(node)
                    .put("failedAt", failure.failedAt().toString())
                    .put("message", cut(failure.message()))
                    .put("writer", cut(failure.writer())));
    if (known.content() != null) {
      spec.set("content", json(known.content()));
    }
    object.putObject("status").put("nodes", Evidence.named(known.nodes(), MAX_NAMED_NODES));
    return object;
  }

  /** A merge patch of the attempts in the status. */
  static ObjectNode attemptsPatch(KnownInvalidConfiguration.Attempts attempts) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("status")
        .put("refused", attempts.refused())
        .put("warned", attempts.warned())
        .put("lastAt", attempts.lastAt().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("lastWriter", cut(attempts.lastWriter()));
    return patch;
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH - 3) + "...";
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Parses a stored one; IllegalArgumentException if the CustomResourceDefinition forbids it. */
  public static KnownInvalidConfiguration parse(JsonNode object) {
    var spec = object.path("spec");
    var verdict = Verdict.parse(text(spec, "verdict"));
    var source = spec.path("source");
    var failures = new TreeMap<String, KnownInvalidConfiguration.Failure>();
    for (var failure : spec.path("failures").properties()) {
      failures.put(
          failure.getKey(),
          new KnownInvalidConfiguration.Failure(
              time(failure.getValue(), "failedAt"), "", text(failure.getValue(), "writer")));
    }
    var verdictManager =
        managers(object, "f:verdict").max(Comparator.comparing(KnownInvalidResource::writtenAt));
    var byHand = verdictManager.map(entry -> !isOurs(entry)).orElse(true);
    var created = time(object.path("metadata"), "creationTimestamp");
    return new KnownInvalidConfiguration(
        new ConfigurationKey(
            text(spec, "guard"), text(spec, "namespace"), ConfigHash.parse(text(spec, "hash"))),
        new KnownInvalidConfiguration.Source(
            text(source, "kind"), text(source, "name"), text(source, "uid")),
        verdict,
        verdict != Verdict.CLEARED && !byHand
            ? Instant.EPOCH
            : spec.has("clearedAt") && !byHand
                ? time(spec, "clearedAt")
                : verdictManager.map(KnownInvalidResource::writtenAt).orElse(created),
        text(spec, "reason"),
        failures,
        spec.path("holdsSecrets").asBoolean(),
        null,
        new KnownInvalidConfiguration.Stored(
            text(object.path("metadata"), "uid"),
            text(object.path("metadata"), "resourceVersion"),
            created,
            byHand,
            managers(object, "f:source").noneMatch(KnownInvalidResource::isOurs),
            attempts(object.path("status"))));
  }

  private static Stream<JsonNode> managers(JsonNode object, String field) {
    return object
        .at("/metadata/managedFields")
        .valueStream()
        .filter(entry -> ownsSpecField(entry, field));
  }

  /** A server-side apply that changes nothing makes an entry without a time. */
  private static Instant writtenAt(JsonNode entry) {
    return entry.has("time") ? time(entry, "time") : Instant.EPOCH;
  }

  private static KnownInvalidConfiguration.Attempts attempts(JsonNode status) {
    return status.has("lastAt")
        ? new KnownInvalidConfiguration.Attempts(
            status.path("refused").asLong(),
            status.path("warned").asLong(),
            time(status, "lastAt"),
            text(status, "lastWriter"))
        : KnownInvalidConfiguration.Attempts.NONE;
  }

  private static boolean isOurs(JsonNode entry) {
    return text(entry, "manager").equals(FIELD_MANAGER);
  }

  private static boolean ownsSpecField(JsonNode entry, String field) {
    var spec = entry.at("/fieldsV1/f:spec");
    return spec.isObject() && (spec.isEmpty() || spec.has(field));
  }

  private static String text(JsonNode object, String field) {
    return object.path(field).asText("");
  }

  private static Instant time(JsonNode object, String field) {
    var text = text(object, field);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("not a time in %s: %s".formatted(field, text), e);
    }
  }
}
