package dev.shipshape.webhook.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.Verdict;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.TreeMap;

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

  /** One that makes older status reports not count. */
  static ObjectNode cleared(ConfigurationKey key) {
    return of(key, Verdict.CLEARED);
  }

  static ObjectNode of(KnownInvalidConfiguration known) {
    var object = of(known.key(), known.verdict());
    var spec =
        object
            .withObject("/spec")
            .put("reason", cut(known.reason()))
            .put("holdsSecrets", known.holdsSecrets());
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
    var nodes = known.nodes();
    var named = String.join(", ", nodes.subList(0, Math.min(MAX_NAMED_NODES, nodes.size())));
    object
        .putObject("status")
        .put(
            "nodes",
            nodes.size() <= MAX_NAMED_NODES
                ? named
                : "%s and %d more".formatted(named, nodes.size() - MAX_NAMED_NODES));
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

  /**
   * Parses a stored one.
   *
   * @throws IllegalArgumentException if it does not match the CustomResourceDefinition
   */
  public static KnownInvalidConfiguration parse(JsonNode object) {
    var spec = object.path("spec");
    var verdict = text(spec, "verdict");
    var source = spec.path("source");
    var failures = new TreeMap<String, KnownInvalidConfiguration.Failure>();
    for (var failure : spec.path("failures").properties()) {
      failures.put(
          failure.getKey(),
          new KnownInvalidConfiguration.Failure(
              time(failure.getValue(), "failedAt"), "", text(failure.getValue(), "writer")));
    }
    return new KnownInvalidConfiguration(
        new ConfigurationKey(
            text(spec, "guard"), text(spec, "namespace"), ConfigHash.parse(text(spec, "hash"))),
        new KnownInvalidConfiguration.Source(
            text(source, "kind"), text(source, "name"), text(source, "uid")),
        Verdict.of(verdict)
            .orElseThrow(() -> new IllegalArgumentException("not a verdict: " + verdict)),
        text(spec, "reason"),
        failures,
        spec.path("holdsSecrets").asBoolean(),
        null,
        stored(object));
  }

  private static KnownInvalidConfiguration.Stored stored(JsonNode object) {
    var metadata = object.path("metadata");
    var created = time(metadata, "creationTimestamp");
    var managers = metadata.path("managedFields");
    var written =
        managers
            .valueStream()
            .filter(entry -> ownsSpecField(entry, "f:verdict"))
            .max(Comparator.comparing(entry -> time(entry, "time")));
    return new KnownInvalidConfiguration.Stored(
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        created,
        written.map(entry -> time(entry, "time")).orElse(created),
        written.map(entry -> !isOurs(entry)).orElse(true),
        managers
            .valueStream()
            .noneMatch(entry -> isOurs(entry) && ownsSpecField(entry, "f:source")),
        attempts(object.path("status")));
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
