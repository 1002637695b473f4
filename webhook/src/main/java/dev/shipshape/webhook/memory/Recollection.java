package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import java.time.Instant;
import java.util.Optional;

/** What can be asked of a memory. Answers at once. */
public interface Recollection {
  /** That this configuration was invalid, where that is remembered. */
  Optional<Remembered.Invalid> ofInvalid(Guard guard, ConfigHash hash);

  /** Since when a person says that this configuration does not count; empty where nobody does. */
  Optional<Instant> pardoned(Guard guard, ConfigHash hash);

  /** A memory that remembers nothing. */
  static Recollection none() {
    return new Recollection() {
      @Override
      public Optional<Remembered.Invalid> ofInvalid(Guard guard, ConfigHash hash) {
        return Optional.empty();
      }

      @Override
      public Optional<Instant> pardoned(Guard guard, ConfigHash hash) {
        return Optional.empty();
      }
    };
  }
}
