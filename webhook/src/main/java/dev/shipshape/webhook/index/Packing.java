package dev.shipshape.webhook.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** Numbers and texts in as many bytes as they need. */
final class Packing {
  /** How many bytes the longest number takes. */
  static final int LONGEST_NUMBER = 10;

  private static final int BITS = 7;
  private static final int MORE = 1 << BITS;

  private Packing() {}

  /** Seven bits a byte, the lowest first; the eighth says that more follow. */
  static void putNumber(ByteBuffer out, long number) {
    var left = number;
    for (; (left & -MORE) != 0; left >>>= BITS) {
      out.put((byte) (left | MORE));
    }
    out.put((byte) left);
  }

  static long number(ByteBuffer in) {
    var number = 0L;
    for (var shift = 0; ; shift += BITS) {
      var next = in.get();
      number |= (long) (next & ~-MORE) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }

  /** Its length in bytes, and it in UTF-8. */
  static void putText(ByteBuffer out, String text) {
    var bytes = text.getBytes(UTF_8);
    putNumber(out, bytes.length);
    out.put(bytes);
  }

  static String text(ByteBuffer in) {
    var bytes = new byte[(int) number(in)];
    in.get(bytes);
    return new String(bytes, UTF_8);
  }

  /** At least as many bytes as {@link #putText} takes for it. */
  static int room(String text) {
    return LONGEST_NUMBER + 3 * text.length();
  }
}
