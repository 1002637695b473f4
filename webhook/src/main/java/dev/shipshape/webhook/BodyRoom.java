package dev.shipshape.webhook;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all bodies together may take, from their first byte to their answer. A body that
 * is behind yields to one for which there is no room otherwise. What it held counts as free at
 * once, though its own event loop lets go of it only when it gets to that: for so long there may be
 * twice as much as the room.
 */
final class BodyRoom {
  /** A body becomes a tree of several times its size. */
  private static final int SHARE_OF_HEAP = 6;

  /** About 80 of the usual bodies. */
  private static final int FOR_SMALL = 2 * 1024 * 1024;

  private record Late(Place place, long by) {}

  private final long forSmall;
  private final AtomicLong left;
  private final Set<Place> arriving = ConcurrentHashMap.newKeySet();

  /**
   * @param bytes for all bodies together
   * @param forSmall of these, what only small bodies may take
   */
  BodyRoom(long bytes, long forSmall) {
    this.left = new AtomicLong(bytes);
    this.forSmall = forSmall;
  }

  /** A share of the heap, and in any case room for two of the largest bodies and the small ones. */
  static BodyRoom ofHeap() {
    var share = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    return new BodyRoom(Math.max(share, 2L * RequestBody.LIMIT + FOR_SMALL), FOR_SMALL);
  }

  /**
   * A place for a body that arrives, with nothing in it yet.
   *
   * @param small whether the body will be small
   * @param cut told, on any thread, that the body has had to yield
   */
  Place enter(boolean small, Pace pace, Runnable cut) {
    var place = new Place(small, pace, cut);
    arriving.add(place);
    return place;
  }

  /** Gives back what a body kept that came whole. */
  void giveBack(int bytes) {
    left.addAndGet(bytes);
  }

  private boolean take(int bytes, long spared) {
    var before = left.get();
    while (before - bytes >= spared) {
      if (left.compareAndSet(before, before - bytes)) {
        return true;
      }
      before = left.get();
    }
    return false;
  }

  private boolean takeFromOthers(int bytes, long spared, long now) {
    var late =
        arriving.stream()
            .filter(place -> place.holds() > 0)
            .map(place -> new Late(place, place.pace.behind(now)))
            .filter(one -> one.by() > 0)
            .sorted(Comparator.comparingLong(Late::by).reversed())
            .toList();
    // Nobody is cut where all of them together would not make room enough.
    if (left.get() + late.stream().mapToLong(one -> one.place().holds()).sum() - bytes < spared) {
      return false;
    }
    for (var one : late) {
      one.place().yieldNow();
      if (take(bytes, spared)) {
        return true;
      }
    }
    return false;
  }

  /** What one body has taken while it arrives. One event loop fills it; any may make it yield. */
  final class Place {
    private static final int GONE = -1;

    private final boolean small;
    private final Pace pace;
    private final Runnable cut;
    private final AtomicInteger taken = new AtomicInteger();

    private Place(boolean small, Pace pace, Runnable cut) {
      this.small = small;
      this.pace = pace;
      this.cut = cut;
    }

    /** Takes more room, if there is so much, or if others that are behind have it. */
    boolean take(int bytes, long now) {
      var spared = small ? 0 : forSmall;
      if (!BodyRoom.this.take(bytes, spared) && !takeFromOthers(bytes, spared, now)) {
        return false;
      }
      if (change(bytes)) {
        return true;
      }
      BodyRoom.this.giveBack(bytes);
      return false;
    }

    /** Gives a part back. */
    void giveBack(int bytes) {
      if (change(-bytes)) {
        BodyRoom.this.giveBack(bytes);
      }
    }

    private int holds() {
      return Math.max(0, taken.get());
    }

    /** Gives back all. */
    void leave() {
      BodyRoom.this.giveBack(Math.max(0, release()));
    }

    /**
     * The body is whole, and keeps what it has taken until it is given back to the room.
     *
     * @return false where it has had to yield
     */
    boolean settle() {
      return release() != GONE;
    }

    /** Only a yielding comes in between, and that is for good. */
    private boolean change(int bytes) {
      var before = taken.get();
      return before != GONE && taken.compareAndSet(before, before + bytes);
    }

    private int release() {
      arriving.remove(this);
      return taken.getAndSet(GONE);
    }

    private void yieldNow() {
      var freed = release();
      if (freed != GONE) {
        BodyRoom.this.giveBack(freed);
        cut.run();
      }
    }
  }
}
