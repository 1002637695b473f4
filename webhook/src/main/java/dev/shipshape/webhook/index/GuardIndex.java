package dev.shipshape.webhook.index;

import dev.shipshape.webhook.config.Guard;
import java.time.Duration;
import java.util.Optional;

/** A guard and what is known for it. */
public interface GuardIndex {
  /** The guard that the index is for. */
  Guard guard();

  /** The index; incomplete or old while {@link #unavailableReason}. */
  KnownInvalidIndex index();

  /** Why nothing can be decided by the index now, in one line; empty where it can. */
  Optional<String> unavailableReason();

  /** How long ago the index was last known to follow the API server. */
  Duration staleness();

  /** An index that needs no feed, for a guard that never knows anything invalid. */
  static GuardIndex ofNothing(Guard guard) {
    record Nothing(Guard guard, KnownInvalidIndex index) implements GuardIndex {
      @Override
      public Optional<String> unavailableReason() {
        return Optional.empty();
      }

      @Override
      public Duration staleness() {
        return Duration.ZERO;
      }
    }
    return new Nothing(guard, new KnownInvalidIndex());
  }
}
