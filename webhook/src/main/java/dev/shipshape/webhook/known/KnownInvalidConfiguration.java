package dev.shipshape.webhook.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.Guard;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One {@code knowninvalidconfigurations.shipshape.dev}. A stored one is read without its content
 * and without the messages of its failures.
 *
 * @param source the object whose status first reported the failure
 * @param clearedAt since when statuses count again: when the success was reported that cleared it,
 *     or when a user wrote the verdict; else 1970
 * @param reason the message of that status
 * @param failures by node, {@link #ANYWHERE} if the node is not known; empty if it was written by
 *     hand or imported from another cluster
 * @param holdsSecrets whether the source has secrets, which are in no hash
 * @param content the normalised configuration without its secrets, JSON; null if it is too large,
 *     and in a stored one
 * @param stored state at the API server; null if it is not stored
 */
public record KnownInvalidConfiguration(
    ConfigurationKey key,
    Source source,
    Verdict verdict,
    Instant clearedAt,
    String reason,
    SortedMap<String, Failure> failures,
    boolean holdsSecrets,
    @Nullable String content,
    @Nullable Stored stored) {
  /** The key of a failure on an unknown node, and the node of a success on all nodes. */
  public static final String ANYWHERE = "";

  private static final int MAX_CONTENT_LENGTH = 32 * 1024;

  /** The CustomResourceDefinition's limit, which bounds the size of one object. */
  public static final int MAX_NODES = 200;

  public KnownInvalidConfiguration {
    failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
  }

  /** The object that it was learned from. Unknown parts are empty. */
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
   * @param message the error message; empty if read from the resource
   * @param writer the field manager that wrote the status; empty if not known
   */
  public record Failure(Instant failedAt, String message, String writer) {}

  /**
   * The state at the API server.
   *
   * @param byHand whether a client other than the webhook wrote the verdict
   * @param imported whether a client other than the webhook wrote the source: it was imported from
   *     another cluster or written by hand
   * @param attempts writes of the configuration, from the status
   */
  public record Stored(
      String uid,
      String resourceVersion,
      Instant created,
      boolean byHand,
      boolean imported,
      Attempts attempts) {}

  /**
   * Attempts to write the configuration.
   *
   * @param refused refused attempts
   * @param warned attempts that would have been refused if the guard had been armed
   * @param lastAt time of the last attempt; 1970 if there was none
   * @param lastWriter user of the last attempt; empty if there was none
   */
  public record Attempts(long refused, long warned, Instant lastAt, String lastWriter) {
    public static final Attempts NONE = new Attempts(0, 0, Instant.EPOCH, "");

    public Attempts at(Instant time) {
      return new Attempts(refused, warned, time, lastWriter);
    }

    /** Adds others, which may be earlier ones. */
    public Attempts plus(Attempts others) {
      var last = others.lastAt.isBefore(lastAt) ? this : others;
      return new Attempts(
          refused + others.refused, warned + others.warned, last.lastAt, last.lastWriter);
    }
  }

  /** Returns one that a user declares invalid on all nodes. */
  public static KnownInvalidConfiguration declared(Guard guard, JsonNode object, String reason) {
    var metadata = object.path("metadata");
    var namespace = metadata.path("namespace").asText("");
    return new KnownInvalidConfiguration(
        new ConfigurationKey(
            guard.name(),
            !guard.resource().namespaced() ? "" : namespace.isEmpty() ? "default" : namespace,
            guard.identity().hash(object)),
        new Source(guard.resource().kind(), metadata.path("name").asText(), ""),
        Verdict.INVALID,
        Instant.EPOCH,
        reason,
        new TreeMap<>(),
        guard.identity().holdsSecrets(object),
        content(guard, object),
        null);
  }

  /** The normalised configuration without secrets, JSON; null if too large to be stored. */
  public static @Nullable String content(Guard guard, JsonNode object) {
    var content = guard.identity().canonical(object);
    return content.length <= MAX_CONTENT_LENGTH && content[0] == '{'
        ? new String(content, StandardCharsets.UTF_8)
        : null;
  }

  /** Whether it leads to a refusal or a warning. */
  public boolean isEffective() {
    return verdict != Verdict.CLEARED;
  }

  /** The time of the last failure; its creation if no failure is known. */
  public Instant lastFailedAt() {
    return failures.values().stream()
        .map(Failure::failedAt)
        .max(Comparator.naturalOrder())
        .orElse(since());
  }

  /** The time of the first failure, or its creation if that was earlier. */
  public Instant since() {
    var created = stored == null ? Instant.MAX : stored.created();
    return failures.values().stream()
        .map(Failure::failedAt)
        .filter(created::isAfter)
        .min(Comparator.naturalOrder())
        .orElse(created);
  }

  /** The field manager that reported the last failure; empty if not known. */
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

  public boolean isStoredAs(String uid) {
    return stored != null && stored.uid().equals(uid);
  }

  /** Whether a client other than the webhook cleared it. */
  public boolean isClearedByHand() {
    return verdict == Verdict.CLEARED && stored != null && stored.byHand();
  }

  /** Whether a person or an import calls it invalid, which counts for every node. */
  boolean isDeclared() {
    return stored != null && (stored.byHand() || stored.imported());
  }

  public boolean isImported() {
    return stored != null && stored.imported();
  }

  /** Its creation time; 1970 if it is not stored. */
  public Instant created() {
    return stored == null ? Instant.EPOCH : stored.created();
  }

  /** None if it is not stored. */
  public Attempts attempts() {
    return stored == null ? Attempts.NONE : stored.attempts();
  }

  /** Returns a copy that a success has cleared. Its failures identify records of its refusals. */
  public KnownInvalidConfiguration clearedBy(Instant success) {
    return new KnownInvalidConfiguration(
        key, source, Verdict.CLEARED, success, reason, failures, holdsSecrets, content, stored);
  }

  public KnownInvalidConfiguration with(Verdict other, SortedMap<String, Failure> others) {
    return new KnownInvalidConfiguration(
        key, source, other, clearedAt, reason, others, holdsSecrets, content, stored);
  }

  KnownInvalidConfiguration from(Source other, String why) {
    return new KnownInvalidConfiguration(
        key, other, verdict, clearedAt, why, failures, holdsSecrets, content, stored);
  }

  KnownInvalidConfiguration storedAs(@Nullable Stored other) {
    return new KnownInvalidConfiguration(
        key, source, verdict, clearedAt, reason, failures, holdsSecrets, content, other);
  }
}
