package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.IndexedObject;
import java.time.Instant;
import java.util.Optional;

/** What can be asked of a memory. Answers at once. */
public interface Recollection {
  /** That this configuration was invalid, where that is remembered. */
  Optional<Remembered.Invalid> ofInvalid(Guard guard, ConfigHash hash);

  /**
   * Whether this is the record of a configuration that was known invalid before it was recorded,
   * and is not known to have failed there: an operator writes such a record when its write is
   * refused.
   */
  boolean refusedBefore(Guard guard, IndexedObject found);

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
      public boolean refusedBefore(Guard guard, IndexedObject found) {
        return false;
      }

      @Override
      public Optional<Instant> pardoned(Guard guard, ConfigHash hash) {
        return Optional.empty();
      }
    };
  }
}
