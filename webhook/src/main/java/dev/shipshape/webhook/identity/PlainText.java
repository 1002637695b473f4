package dev.shipshape.webhook.identity;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Text that is in canonical form as it stands: ASCII that JSON leaves alone. */
final class PlainText {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHEST_BITS = ONES << 7;
  private static final long SPACES = ' ' * ONES;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;

  private PlainText() {}

  /**
   * Where the plain text that begins there has its end: a quote, or what is not plain. By eight
   * bytes at a time, for texts are most of what a configuration consists of.
   *
   * @throws ArrayIndexOutOfBoundsException where it has none
   */
  static int end(byte[] json, int from) {
    var at = from;
    for (; at + Long.BYTES <= json.length; at += Long.BYTES) {
      var others = others((long) EIGHT_BYTES.get(json, at));
      if (others != 0) {
        return at + Long.numberOfTrailingZeros(others) / Byte.SIZE;
      }
    }
    while (isPlain(json[at])) {
      at++;
    }
    return at;
  }

  /**
   * Sets the highest bit of each byte that is not plain. A difference borrows from the byte behind
   * it only where it has set its own, so that of the bits that are set the first one is right.
   */
  private static long others(long bytes) {
    return (bytes | (bytes - SPACES) | ((bytes ^ QUOTES) - ONES) | ((bytes ^ BACKSLASHES) - ONES))
        & HIGHEST_BITS;
  }

  private static boolean isPlain(byte next) {
    return next >= ' ' && next != '"' && next != '\\';
  }
}
