package dev.shipshape.webhook;

import java.util.Random;

/**
 * Takes its numbers from a fuzzer's bytes, one each, so that a sample follows the bytes. Behind
 * them it gives a number that no sample takes for an occasion.
 */
public final class FuzzedRandom extends Random {
  private static final long serialVersionUID = 1L;
  private static final int IN_EVERY_BYTE = 0x01010101;

  /** No multiple of a small number; of the largest one, the superclass would ask for another. */
  private static final int NO_OCCASION = 0x7f;

  private final byte[] bytes;
  private int at;

  public FuzzedRandom(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  @Override
  protected int next(int bits) {
    // Called by the superclass's constructor, too.
    var number = bytes != null && at < bytes.length ? bytes[at++] & 0xff : NO_OCCASION;
    return number * IN_EVERY_BYTE >>> Integer.SIZE - bits;
  }
}
