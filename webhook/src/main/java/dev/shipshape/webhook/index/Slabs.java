package dev.shipshape.webhook.index;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that entries are appended to and never moved in. It grows by slabs, so that growing copies
 * nothing and leaves little unused. An entry's address is its slab's number and its place there.
 */
final class Slabs {
  private static final int PLACE_BITS = 16;
  private static final int SLAB = 1 << PLACE_BITS;

  private final List<ByteBuffer> slabs = new ArrayList<>();
  private long allocated;
  private long written;

  /** Adds an entry, from its position to its limit; gives its address, which is not negative. */
  int append(ByteBuffer entry) {
    var length = entry.remaining();
    if (slabs.isEmpty() || slabs.getLast().remaining() < length) {
      // An entry that is larger than a slab has one to itself.
      slabs.add(ByteBuffer.allocate(Math.max(SLAB, length)));
      allocated += slabs.getLast().capacity();
    }
    var slab = slabs.getLast();
    var address = Math.toIntExact((slabs.size() - 1L) << PLACE_BITS | slab.position());
    slab.put(entry);
    written += length;
    return address;
  }

  /** What begins at this address; longer than the entry. Absolute places count from there. */
  ByteBuffer at(int address) {
    var slab = slabs.get(address >>> PLACE_BITS);
    var place = address & (SLAB - 1);
    return slab.slice(place, slab.position() - place);
  }

  /**
   * Goes over all entries in the order in which they were added.
   *
   * @param visit reads one from the buffer, to its end
   */
  void forEach(Visit visit) {
    for (var number = 0; number < slabs.size(); number++) {
      var entries = slabs.get(number).duplicate().flip();
      while (entries.hasRemaining()) {
        visit.read(entries);
      }
    }
  }

  /** Reads one entry. */
  @FunctionalInterface
  interface Visit {
    void read(ByteBuffer entry);
  }

  /** Bytes of all entries, those included that are not wanted any more. */
  long written() {
    return written;
  }

  /** Bytes taken from the heap. */
  long allocated() {
    return allocated;
  }
}
