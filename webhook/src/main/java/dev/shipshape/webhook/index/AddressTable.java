package dev.shipshape.webhook.index;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A hash table from something to the address of an entry, in which the something stands. Open
 * addressing, linear probing, nothing but an array of numbers. Slots are taken and never given
 * back: whoever removes much builds a new table.
 */
final class AddressTable {
  static final int NONE = -1;

  private static final int SMALLEST = 64;

  private final int[] addresses;
  private int taken;

  /**
   * @param expected how many are to find room without the table being {@link #isFull}
   */
  AddressTable(int expected) {
    addresses = new int[Math.max(SMALLEST, Integer.highestOneBit(2 * expected - 1) << 1)];
    Arrays.fill(addresses, NONE);
  }

  /**
   * The slot where something is, or else the free one where it belongs.
   *
   * @param hash the something's
   * @param isIt whether the entry at this address is of the something
   */
  int slot(int hash, IntPredicate isIt) {
    // Multiplied by the golden ratio, of which the upper bits depend on all of the hash's.
    var slot = (hash * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(addresses.length) + 1);
    while (addresses[slot] != NONE && !isIt.test(addresses[slot])) {
      slot = (slot + 1) & (addresses.length - 1);
    }
    return slot;
  }

  /** The address in a slot; {@link #NONE} where it is free. */
  int get(int slot) {
    return addresses[slot];
  }

  void set(int slot, int address) {
    if (addresses[slot] == NONE) {
      taken++;
    }
    addresses[slot] = address;
  }

  /** Whether so many slots are taken that finding takes long. */
  boolean isFull() {
    return taken > addresses.length / 4 * 3;
  }

  int slots() {
    return addresses.length;
  }

  /** Bytes taken from the heap. */
  long allocated() {
    return (long) Integer.BYTES * addresses.length;
  }
}
