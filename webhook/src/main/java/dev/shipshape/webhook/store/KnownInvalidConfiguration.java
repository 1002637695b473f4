package dev.shipshape.webhook.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.ManagedFieldsTimes;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one resource {@code knowninvalidconfigurations.shipshape.dev}: everything but its
 * content and the messages of its failures.
 *
 * @param source the object whose status said so first
 * @param reason what that status said
 * @param failures by node, with {@link #ANYWHERE} if no node is known; empty if it was written by
 *     hand or comes from another cluster
 * @param holdsSecrets whether the source held secrets, which no hash shows
 * @param stored how the API server has it; null if it has not
 */
public record KnownInvalidConfiguration(
    ConfigurationKey key,
    Source source,
    Verdict verdict,
    String reason,
    SortedMap<String, Failure> failures,
    boolean holdsSecrets,
    @Nullable Stored stored) {
  /** In place of a node's name. */
  static final String ANYWHERE = "";

  private static final int LARGEST_CONTENT = 32 * 1024;

  /** The API server refuses more: one object stays small enough. */
  static final int MOST_NODES = 200;

  /** The field manager of the webhook's own writes. */
  static final String FIELD_MANAGER = "shipshape-webhook";

  public KnownInvalidConfiguration {
    failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
  }

  /** The object that it was learned from; empty texts if that is not known. */
  public record Source(String kind, String name, String uid) {
    @Override
    public String toString() {
      return kind + " " + name;
    }
  }

  /**
   * A failure on one node.
   *
   * @param failedAt by the API server's clock
   * @param message what the status said; empty if it was read from the resource
   * @param writer the field manager that wrote the status; empty if that is not known
   */
  public record Failure(Instant failedAt, String message, String writer) {}

  /**
   * How the API server has it.
   *
   * @param verdictAt when its verdict was written
   * @param byHand whether somebody else than the webhook wrote the verdict
   */
  public record Stored(
      String uid, String resourceVersion, Instant created, Instant verdictAt, boolean byHand) {}

  /** One that somebody calls invalid who gives this reason: it fails on every node. */
  public static KnownInvalidConfiguration byHand(Guard guard, JsonNode object, String reason) {
    var metadata = object.path("metadata");
    return new KnownInvalidConfiguration(
        new ConfigurationKey(
            guard.name(),
            guard.resource().namespaced() ? metadata.path("namespace").asText("default") : "",
            guard.identity().hash(object)),
        new Source(guard.resource().kind(), metadata.path("name").asText(), ""),
        Verdict.INVALID,
        reason,
        new TreeMap<>(),
        guard.identity().holdsSecrets(object),
        null);
  }

  /** The normalised configuration without its secrets, JSON; null if it is too large to be kept. */
  public static @Nullable String content(Guard guard, JsonNode object) {
    var content = guard.identity().canonical(object);
    return content.length <= LARGEST_CONTENT && content[0] == '{'
        ? new String(content, StandardCharsets.UTF_8)
        : null;
  }

  /** Whether it is refused or warned of. */
  public boolean counts() {
    return verdict != Verdict.CLEARED;
  }

  /** When it failed last; when it was made, if it tells no failure. */
  public Instant at() {
    return failures.values().stream()
        .map(Failure::failedAt)
        .max(Comparator.naturalOrder())
        .orElse(since());
  }

  /** When it was first known to be invalid, at the latest. */
  public Instant since() {
    var created = stored == null ? Instant.MAX : stored.created();
    return failures.values().stream()
        .map(Failure::failedAt)
        .filter(created::isAfter)
        .min(Comparator.naturalOrder())
        .orElse(created);
  }

  /** Who wrote the status that said so last; empty if that is not known. */
  public String writer() {
    return failures.values().stream()
        .max(Comparator.comparing(Failure::failedAt))
        .map(Failure::writer)
        .orElse("");
  }

  /** The nodes on which it failed; empty if none is known. */
  public List<String> nodes() {
    return failures.keySet().stream().filter(node -> !node.equals(ANYWHERE)).toList();
  }

  boolean isStoredAs(String uid) {
    return stored != null && stored.uid().equals(uid);
  }

  /** Whether it is cleared, by somebody else than the webhook. */
  boolean isClearedByHand() {
    return verdict == Verdict.CLEARED && stored != null && stored.byHand();
  }

  /** Since when it is cleared; 1970 if that is not known. */
  Instant clearedAt() {
    return stored == null ? Instant.EPOCH : stored.verdictAt();
  }

  KnownInvalidConfiguration with(Verdict other, SortedMap<String, Failure> others) {
    return new KnownInvalidConfiguration(key, source, other, reason, others, holdsSecrets, stored);
  }

  KnownInvalidConfiguration storedAs(@Nullable Stored other) {
    return new KnownInvalidConfiguration(
        key, source, verdict, reason, failures, holdsSecrets, other);
  }

  /**
   * Reads an object of the resource.
   *
   * @throws IllegalArgumentException if it is not what the CustomResourceDefinition allows
   */
  public static KnownInvalidConfiguration of(JsonNode object) {
    var spec = object.path("spec");
    var source = spec.path("source");
    var verdict = spec.path("verdict").asText();
    return new KnownInvalidConfiguration(
        new ConfigurationKey(
            spec.path("guard").asText(),
            spec.path("namespace").asText(),
            ConfigHash.parse(spec.path("hash").asText())),
        new Source(
            source.path("kind").asText(),
            source.path("name").asText(),
            source.path("uid").asText()),
        Verdict.of(verdict)
            .orElseThrow(() -> new IllegalArgumentException("no verdict: " + verdict)),
        spec.path("reason").asText(),
        failures(spec.path("failures")),
        spec.path("holdsSecrets").asBoolean(),
        stored(object.path("metadata")));
  }

  private static SortedMap<String, Failure> failures(JsonNode json) {
    var failures = new TreeMap<String, Failure>();
    json.properties()
        .forEach(
            failure ->
                failures.put(
                    failure.getKey(),
                    new Failure(
                        time(failure.getValue().path("failedAt").asText()),
                        "",
                        failure.getValue().path("writer").asText())));
    return failures;
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("no time: " + text, e);
    }
  }

  private static Stored stored(JsonNode metadata) {
    var created = metadata.path("creationTimestamp").asText();
    var written = ManagedFieldsTimes.ofField(metadata, List.of("spec", "verdict"));
    return new Stored(
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asText(),
        time(created),
        written.map(ManagedFieldsTimes.Field::at).orElse(time(created)),
        written.map(field -> !field.manager().equals(FIELD_MANAGER)).orElse(true));
  }
}
