package dev.shipshape.webhook.index;

import dev.shipshape.webhook.guard.Guard;

/** A guard and what is known for it. */
public interface GuardIndex {
  /** The guard that the index is for. */
  Guard guard();

  /** The index; complete only once {@link #synced}. */
  KnownInvalidIndex index();

  /** Whether everything that exists has been listed. */
  boolean synced();

  /** An index that needs no feed, for a guard that never knows anything invalid. */
  static GuardIndex ofNothing(Guard guard) {
    record Nothing(Guard guard, KnownInvalidIndex index) implements GuardIndex {
      @Override
      public boolean synced() {
        return true;
      }
    }
    return new Nothing(guard, new KnownInvalidIndex());
  }
}
