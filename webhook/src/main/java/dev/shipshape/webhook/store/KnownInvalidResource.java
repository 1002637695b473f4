package dev.shipshape.webhook.store;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.Verdict;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A KnownInvalidConfiguration as the API server has it. */
@Group("shipshape.dev")
@Version("v1alpha1")
@Kind("KnownInvalidConfiguration")
public final class KnownInvalidResource
    extends CustomResource<KnownInvalidResource.Spec, KnownInvalidResource.Status> {
  /** The field manager of the webhook's own writes. */
  static final String FIELD_MANAGER = "shipshape-webhook";

  private static final long serialVersionUID = 1L;
  private static final int LONGEST_TEXT = 1024;
  private static final int NAMED_NODES = 3;
  private static final JsonMapper MAPPER = new JsonMapper();

  /** What is absent is not written, and not changed by a patch. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Spec(
      @Nullable String guard,
      @Nullable String namespace,
      @Nullable String hash,
      @Nullable String verdict,
      @Nullable String reason,
      @Nullable Boolean holdsSecrets,
      @Nullable Source source,
      @Nullable Map<String, Failure> failures,
      @Nullable JsonNode content) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Source(@Nullable String kind, @Nullable String name, @Nullable String uid) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Failure(@Nullable String failedAt, @Nullable String message, @Nullable String writer) {}

  /** What {@code kubectl get} cannot compute, and the writes that were counted. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Status(
      @Nullable String nodes,
      @Nullable Long refused,
      @Nullable Long warned,
      @Nullable String lastAt,
      @Nullable String lastWriter) {
    KnownInvalidConfiguration.Attempts attempts() {
      return new KnownInvalidConfiguration.Attempts(
          requireNonNullElse(refused, 0L),
          requireNonNullElse(warned, 0L),
          lastAt == null ? Instant.EPOCH : time(lastAt),
          text(lastWriter));
    }
  }

  // Records have no constructor without arguments, which the library would call.
  @Override
  @SuppressWarnings("NullAway")
  protected Spec initSpec() {
    return null;
  }

  @Override
  @SuppressWarnings("NullAway")
  protected Status initStatus() {
    return null;
  }

  private static KnownInvalidResource of(ConfigurationKey key) {
    var resource = new KnownInvalidResource();
    resource.getMetadata().setName(key.objectName());
    return resource;
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /** One that makes no status count that was written before. */
  static KnownInvalidResource cleared(ConfigurationKey key) {
    var resource = of(key);
    resource.setSpec(
        new Spec(
            key.guard(),
            orNull(key.namespace()),
            key.hash().toString(),
            Verdict.CLEARED.toString(),
            null,
            null,
            null,
            null,
            null));
    return resource;
  }

  /** As it is to be stored. */
  static KnownInvalidResource of(KnownInvalidConfiguration known) {
    var key = known.key();
    var failures = new TreeMap<String, Failure>();
    known
        .failures()
        .forEach(
            (node, failure) ->
                failures.put(
                    node,
                    new Failure(
                        failure.failedAt().toString(),
                        cut(failure.message()),
                        cut(failure.writer()))));
    var resource = of(key);
    resource.setSpec(
        new Spec(
            key.guard(),
            orNull(key.namespace()),
            key.hash().toString(),
            known.verdict().toString(),
            cut(known.reason()),
            known.holdsSecrets(),
            new Source(known.source().kind(), known.source().name(), orNull(known.source().uid())),
            failures,
            known.content() == null ? null : json(known.content())));
    var nodes = known.nodes();
    var named = String.join(", ", nodes.subList(0, Math.min(NAMED_NODES, nodes.size())));
    resource.setStatus(
        new Status(
            nodes.size() <= NAMED_NODES
                ? named
                : "%s and %d more".formatted(named, nodes.size() - NAMED_NODES),
            null,
            null,
            null,
            null));
    return resource;
  }

  /** A merge patch of the writes that are counted. */
  static ObjectNode counted(KnownInvalidConfiguration.Attempts attempts) {
    var status =
        new Status(
            null,
            attempts.refused(),
            attempts.warned(),
            attempts.lastAt().truncatedTo(ChronoUnit.SECONDS).toString(),
            cut(attempts.lastWriter()));
    var patch = MAPPER.createObjectNode();
    patch.set("status", MAPPER.valueToTree(status));
    return patch;
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 3) + "...";
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** The whole object. */
  public ObjectNode json() {
    return MAPPER.valueToTree(this);
  }

  /**
   * What an object says that has not come from the API server, or not yet.
   *
   * @throws IllegalArgumentException if it is not what the CustomResourceDefinition allows
   */
  public static KnownInvalidConfiguration known(JsonNode object) {
    try {
      return MAPPER.treeToValue(object, KnownInvalidResource.class).known();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /**
   * What it says.
   *
   * @throws IllegalArgumentException if it is not what the CustomResourceDefinition allows
   */
  public KnownInvalidConfiguration known() {
    var said = getSpec();
    if (said == null) {
      throw new IllegalArgumentException("no spec");
    }
    var verdict = text(said.verdict());
    var source = requireNonNullElse(said.source(), new Source(null, null, null));
    var failures = new TreeMap<String, KnownInvalidConfiguration.Failure>();
    requireNonNullElse(said.failures(), Map.<String, Failure>of())
        .forEach(
            (node, failure) ->
                failures.put(
                    node,
                    new KnownInvalidConfiguration.Failure(
                        time(failure.failedAt()), "", text(failure.writer()))));
    return new KnownInvalidConfiguration(
        new ConfigurationKey(
            text(said.guard()), text(said.namespace()), ConfigHash.parse(text(said.hash()))),
        new KnownInvalidConfiguration.Source(
            text(source.kind()), text(source.name()), text(source.uid())),
        Verdict.of(verdict)
            .orElseThrow(() -> new IllegalArgumentException("no verdict: " + verdict)),
        text(said.reason()),
        failures,
        Boolean.TRUE.equals(said.holdsSecrets()),
        null,
        stored());
  }

  private KnownInvalidConfiguration.Stored stored() {
    var metadata = getMetadata();
    var created = time(metadata.getCreationTimestamp());
    var written =
        metadata.getManagedFields().stream()
            .filter(entry -> owns(entry, "f:verdict"))
            .max(Comparator.comparing(entry -> time(entry.getTime())));
    return new KnownInvalidConfiguration.Stored(
        text(metadata.getUid()),
        text(metadata.getResourceVersion()),
        created,
        written.map(entry -> time(entry.getTime())).orElse(created),
        written.map(entry -> !FIELD_MANAGER.equals(entry.getManager())).orElse(true),
        metadata.getManagedFields().stream()
            .filter(entry -> FIELD_MANAGER.equals(entry.getManager()))
            .noneMatch(entry -> owns(entry, "f:source")),
        getStatus() == null ? KnownInvalidConfiguration.Attempts.NONE : getStatus().attempts());
  }

  private static boolean owns(ManagedFieldsEntry entry, String field) {
    return entry.getFieldsV1() != null
        && entry.getFieldsV1().getAdditionalProperties().get("f:spec") instanceof Map<?, ?> spec
        && (spec.isEmpty() || spec.containsKey(field));
  }

  private static String text(@Nullable String text) {
    return requireNonNullElse(text, "");
  }

  private static Instant time(@Nullable String text) {
    try {
      return Instant.parse(text(text));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("no time: " + text(text), e);
    }
  }
}
