package dev.shipshape.audit;

import static java.io.OutputStream.nullOutputStream;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A stream's bytes, line by line. Grows for a line that does not fit, up to a bound. */
final class LineBuffer {
  /** Stays in the cache of a core, which is twice as fast as what does not. */
  private static final int SIZE = 256 << 10;

  /** Of a longer line, only the beginning is there. */
  private static final int MAX_LINE = 16 << 20;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LINE_ENDS = ONES * '\n';

  private InputStream in = InputStream.nullInputStream();
  private byte[] bytes = new byte[SIZE];
  private int limit;
  private int start;
  private int end;
  private int next;
  private boolean tooLong;

  /** Where in the stream the buffer begins. */
  private long offset;

  /** Begins to read a stream, whose first byte is at an offset of the log. */
  void open(InputStream stream, long first) {
    in = stream;
    offset = first;
    limit = 0;
    start = 0;
    end = 0;
    next = 0;
    tooLong = false;
    if (bytes.length > SIZE) {
      bytes = new byte[SIZE];
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int start() {
    return start;
  }

  /** Behind the line, without its end. */
  int end() {
    return end;
  }

  /** Whether the line goes on where the bytes end; {@link #rest()} is to be read to its end. */
  boolean tooLong() {
    return tooLong;
  }

  /** Where in the log the line begins. */
  long lineOffset() {
    return offset + start;
  }

  /** Where in the log the next line begins. */
  long nextOffset() {
    return offset + next;
  }

  /** Where the next line begins in the bytes. */
  int ahead() {
    return next;
  }

  /** Behind all bytes that are there. */
  int limit() {
    return limit;
  }

  /** Whether the next line is there, and begins so. */
  boolean isAhead(char first) {
    return next < limit && bytes[next] == first;
  }

  /** Goes to the next line if it ends at an index; false if there is no line's end. */
  boolean endsAt(int index) {
    if (index >= limit || bytes[index] != '\n') {
      return false;
    }
    start = next;
    end = index;
    next = index + 1;
    return true;
  }

  /** Goes to the next line; false at the end of the stream. */
  boolean next() throws IOException {
    start = next;
    var searched = start;
    while (true) {
      end = lineEnd(searched, limit);
      if (end >= 0) {
        next = end + 1;
        return true;
      }
      tooLong = limit - start >= MAX_LINE;
      if (tooLong) {
        end = limit;
        next = limit;
        return true;
      }
      searched = limit - start;
      if (!more()) {
        end = limit;
        next = limit;
        return start < limit;
      }
    }
  }

  /** The line that is too long, from its beginning; closed, it goes to the line's end. */
  InputStream rest() {
    next = start;
    tooLong = false;
    return new RestOfLine();
  }

  /** Reads more, with the line at the buffer's beginning then; false at the end. */
  private boolean more() throws IOException {
    System.arraycopy(bytes, start, bytes, 0, limit - start);
    offset += start;
    limit -= start;
    start = 0;
    if (limit == bytes.length) {
      bytes = Arrays.copyOf(bytes, bytes.length * 2);
    }
    var count = in.read(bytes, limit, bytes.length - limit);
    limit += Math.max(count, 0);
    return count > 0;
  }

  /** The index of the line's end, eight bytes at a time; -1 if it is not there. */
  private int lineEnd(int from, int to) {
    var b = bytes;
    var i = from;
    var last = to - Long.BYTES;
    while (i <= last) {
      var word = (long) LONGS.get(b, i) ^ LINE_ENDS;
      var found = (word - ONES) & ~word & HIGH_BITS;
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
      i += Long.BYTES;
    }
    for (; i < to; i++) {
      if (b[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Takes the line's bytes out of the buffer while it is read. */
  private final class RestOfLine extends InputStream {
    private boolean ended;
    private boolean closed;

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        transferTo(nullOutputStream());
        next = Math.min(next + 1, limit);
      }
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      if (next == limit && !ended) {
        start = limit;
        ended = !more();
        next = start;
      }
      var most = Math.min(limit, next + length);
      var lineEnd = lineEnd(next, most);
      var count = (lineEnd < 0 ? most : lineEnd) - next;
      System.arraycopy(bytes, next, target, from, count);
      next += count;
      return count == 0 ? -1 : count;
    }
  }
}
