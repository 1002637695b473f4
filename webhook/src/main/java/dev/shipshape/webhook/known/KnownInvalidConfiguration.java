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
 * What is kept of one resource {@code knowninvalidconfigurations.shipshape.dev}: everything but the
 * content and the messages of the failures of what is stored.
 *
 * @param source the object whose status said so first
 * @param reason what that status said
 * @param failures by node, with {@link #ANYWHERE} if no node is known; empty if it was written by
 *     hand or comes from another cluster
 * @param holdsSecrets whether the source held secrets, which no hash shows
 * @param content the normalised configuration without its secrets, JSON; null if it is too large to
 *     be kept, and of what is stored
 * @param stored how the API server has it; null if it has not
 */
public record KnownInvalidConfiguration(
    ConfigurationKey key,
    Source source,
    Verdict verdict,
    String reason,
    SortedMap<String, Failure> failures,
    boolean holdsSecrets,
    @Nullable String content,
    @Nullable Stored stored) {
  /** In place of a node's name. */
  public static final String ANYWHERE = "";

  private static final int LARGEST_CONTENT = 32 * 1024;

  /** The API server refuses more: one object stays small enough. */
  public static final int MOST_NODES = 200;

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
   * @param attempts the writes of it that its status counts
   * @param imported whether somebody else wrote the source: it was learned in another cluster, or
   *     by a person
   */
  public record Stored(
      String uid,
      String resourceVersion,
      Instant created,
      Instant verdictAt,
      boolean byHand,
      boolean imported,
      Attempts attempts) {}

  /**
   * Writes of it.
   *
   * @param refused how many were
   * @param warned how many would have been, if its guard had been armed
   * @param lastAt when the last one of them was counted; 1970 if there was none
   * @param lastWriter whose that was; empty if there was none
   */
  public record Attempts(long refused, long warned, Instant lastAt, String lastWriter) {
    public static final Attempts NONE = new Attempts(0, 0, Instant.EPOCH, "");

    /** Both, of which the other ones are the later ones. */
    public Attempts plus(Attempts others) {
      return new Attempts(
          refused + others.refused, warned + others.warned, others.lastAt, others.lastWriter);
    }
  }

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
        content(guard, object),
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

  /** Whether the API server has it as this object. */
  public boolean isStoredAs(String uid) {
    return stored != null && stored.uid().equals(uid);
  }

  /** Whether it is cleared, by somebody else than the webhook. */
  boolean isClearedByHand() {
    return verdict == Verdict.CLEARED && stored != null && stored.byHand();
  }

  /** Whether it was not learned in this cluster. */
  public boolean isImported() {
    return stored != null && stored.imported();
  }

  /** Since when the API server has it; 1970 if it has not. */
  public Instant created() {
    return stored == null ? Instant.EPOCH : stored.created();
  }

  /** The writes of it that were counted; none of what is not stored. */
  public Attempts attempts() {
    return stored == null ? Attempts.NONE : stored.attempts();
  }

  /** Since when it is cleared; 1970 if that is not known. */
  public Instant clearedAt() {
    return stored == null ? Instant.EPOCH : stored.verdictAt();
  }

  public KnownInvalidConfiguration with(Verdict other, SortedMap<String, Failure> others) {
    return new KnownInvalidConfiguration(
        key, source, other, reason, others, holdsSecrets, content, stored);
  }

  KnownInvalidConfiguration storedAs(@Nullable Stored other) {
    return new KnownInvalidConfiguration(
        key, source, verdict, reason, failures, holdsSecrets, content, other);
  }
}
