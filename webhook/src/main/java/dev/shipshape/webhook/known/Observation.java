package dev.shipshape.webhook.known;

import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What an object's status said of a configuration. Applied twice it changes nothing more. */
public sealed interface Observation {
  ConfigurationKey key();

  /** {@link KnownInvalidConfiguration#ANYWHERE} if no node is told. */
  String node();

  /** Whether an earlier one need not be kept for this one's sake. */
  default boolean replaces(Observation earlier) {
    return earlier.getClass() == getClass() && earlier.node().equals(node());
  }

  /**
   * What is known from now on.
   *
   * @param before null if nothing was
   */
  @Nullable KnownInvalidConfiguration after(@Nullable KnownInvalidConfiguration before);

  /**
   * It said "invalid".
   *
   * @param node {@link KnownInvalidConfiguration#ANYWHERE} if it tells none
   * @param earliest when that may have been said first
   * @param suspected whether nothing supports it
   * @param rewrite how much later the same failure must be to be written again
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
      Duration rewrite,
      @Nullable String content)
      implements Observation {
    @Override
    public KnownInvalidConfiguration after(@Nullable KnownInvalidConfiguration before) {
      if (before == null) {
        return anew();
      }
      return switch (before.verdict()) {
        // What a person cleared is not learned from what may have been said before.
        case CLEARED ->
            (before.isClearedByHand() ? earliest : failure.failedAt()).isAfter(before.clearedAt())
                ? anew().storedAs(before.stored())
                : before;
        case SUSPECTED -> suspected ? withThis(before) : anew().storedAs(before.stored());
        case INVALID -> suspected ? before : withThis(before);
      };
    }

    private KnownInvalidConfiguration anew() {
      return new KnownInvalidConfiguration(
          key,
          source,
          suspected ? Verdict.SUSPECTED : Verdict.INVALID,
          failure.message(),
          new TreeMap<>(Map.of(node, failure)),
          holdsSecrets,
          content,
          null);
    }

    private KnownInvalidConfiguration withThis(KnownInvalidConfiguration before) {
      var known = before.failures().get(node);
      var isNews =
          known == null
              ? before.failures().size() < KnownInvalidConfiguration.MOST_NODES
              : known.failedAt().plus(rewrite).isBefore(failure.failedAt());
      if (!isNews) {
        return before;
      }
      var failures = new TreeMap<>(before.failures());
      failures.put(node, failure);
      return before.with(before.verdict(), failures);
    }
  }

  /**
   * It said "provisioned". What failed on a node is forgotten if it works on that node later:
   * elsewhere it may work for what is different there.
   *
   * @param node {@link KnownInvalidConfiguration#ANYWHERE} for all nodes
   */
  record Worked(ConfigurationKey key, String node, Instant at) implements Observation {
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
                      && at.isAfter(failure.getValue().failedAt()));
      // What is cleared still tells when it failed: the records of its refusals are known by that.
      return left.isEmpty()
          ? before.with(Verdict.CLEARED, before.failures())
          : before.with(before.verdict(), left);
    }
  }
}
