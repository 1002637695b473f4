package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.Guard;
import java.time.Duration;
import java.util.Optional;

/** Whether what is known follows the cluster closely enough to decide by it. */
public interface Freshness {
  /** Of what nobody feeds any more: all that can be known is. */
  Freshness COMPLETE =
      new Freshness() {
        @Override
        public Optional<String> unavailableReason(Guard guard) {
          return Optional.empty();
        }

        @Override
        public Duration staleness(Guard guard) {
          return Duration.ZERO;
        }
      };

  /** Why nothing can be decided for this guard now, in one line; empty if it can. */
  Optional<String> unavailableReason(Guard guard);

  /** How long ago what is known for this guard was last known to follow the API server. */
  Duration staleness(Guard guard);
}
