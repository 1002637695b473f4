package dev.shipshape.webhook.known;

import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An outcome that an object's status reported. Idempotent. */
public sealed interface Observation {
  ConfigurationKey key();

  /** {@link KnownInvalidConfiguration#ANYWHERE} if the node is not known. */
  String node();

  /** Whether this observation makes an earlier one obsolete. */
  default boolean replaces(Observation earlier) {
    return earlier.getClass() == getClass() && earlier.node().equals(node());
  }

  default boolean holdsContent() {
    return this instanceof Failed failed && failed.content() != null;
  }

  default boolean isFailureOf(String object) {
    return this instanceof Failed failed && failed.source().name().equals(object);
  }

  /** Returns the state after this observation; the one before is null if nothing was known. */
  @Nullable KnownInvalidConfiguration after(@Nullable KnownInvalidConfiguration before);

  /**
   * The status reported "invalid".
   *
   * @param node {@link KnownInvalidConfiguration#ANYWHERE} if the node is not known
   * @param earliest when the failure may first have been reported
   * @param suspected whether no other object confirms it
   * @param rewriteInterval minimum age before a repeated failure is stored again
   * @param record the name of the node's record; null if there are none
   * @param content the normalised configuration, JSON; null if it is too large
   */
  record Failed(
      ConfigurationKey key,
      Source source,
      String node,
      Failure failure,
      Instant earliest,
      boolean suspected,
      boolean holdsSecrets,
      Duration rewriteInterval,
      @Nullable String record,
      @Nullable String content)
      implements Observation {
    @Override
    public KnownInvalidConfiguration after(@Nullable KnownInvalidConfiguration before) {
      if (before == null) {
        return initial();
      }
      return switch (before.verdict()) {
        // Older status reports do not bring back a configuration that a user cleared.
        case CLEARED ->
            (before.isClearedByHand() ? earliest : failure.failedAt()).isAfter(before.clearedAt())
                ? initial().storedAs(before.stored())
                : before;
        case SUSPECTED -> suspected ? withFailure(before) : initial().storedAs(before.stored());
        case INVALID -> suspected ? before : withFailure(before);
      };
    }

    private KnownInvalidConfiguration initial() {
      return new KnownInvalidConfiguration(
          key,
          source,
          suspected ? Verdict.SUSPECTED : Verdict.INVALID,
          Instant.EPOCH,
          failure.message(),
          new TreeMap<>(Map.of(node, failure)),
          holdsSecrets,
          content,
          null);
    }

    private KnownInvalidConfiguration withFailure(KnownInvalidConfiguration before) {
      var known = before.failures().get(node);
      // What the node's object reports itself outlasts its record.
      var isBetter =
          !before.isDeclared()
              && before.source().name().equals(record)
              && !source.name().equals(record);
      var isNews =
          known == null
              ? before.failures().size() < KnownInvalidConfiguration.MAX_NODES
              : isBetter || known.failedAt().plus(rewriteInterval).isBefore(failure.failedAt());
      var after = isBetter ? before.from(source, failure.message()) : before;
      if (!isNews) {
        return after;
      }
      var failures = new TreeMap<>(before.failures());
      failures.put(node, failure);
      return after.with(before.verdict(), failures);
    }
  }

  /**
   * The status reported "provisioned". A success removes earlier failures on the same node only:
   * the configuration may work elsewhere because of differences between the nodes.
   *
   * @param node {@link KnownInvalidConfiguration#ANYWHERE} for all nodes
   * @param earliest when the success may first have been reported
   */
  record Worked(ConfigurationKey key, String node, Instant at, Instant earliest)
      implements Observation {
    @Override
    public @Nullable KnownInvalidConfiguration after(@Nullable KnownInvalidConfiguration before) {
      if (before == null || before.verdict() == Verdict.CLEARED || before.failures().isEmpty()) {
        return before;
      }
      SortedMap<String, Failure> left = new TreeMap<>(before.failures());
      left.entrySet()
          .removeIf(
              failure ->
                  (node.equals(KnownInvalidConfiguration.ANYWHERE) || node.equals(failure.getKey()))
                      && at.isAfter(failure.getValue().failedAt())
                      // A success that a user has overruled stays overruled.
                      && earliest.isAfter(before.clearedAt()));
      return left.isEmpty() ? before.clearedBy(at) : before.with(before.verdict(), left);
    }
  }
}
