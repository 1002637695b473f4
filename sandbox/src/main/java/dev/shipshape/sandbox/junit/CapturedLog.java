package dev.shipshape.sandbox.junit;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Captures System.err, to which this process logs, until it is closed. Several may be open at once;
 * each has the lines of all tests that run meanwhile.
 */
public final class CapturedLog implements AutoCloseable {
  private static final List<CapturedLog> OPEN = new CopyOnWriteArrayList<>();

  static {
    var console = System.err;
    var all =
        new OutputStream() {
          @Override
          public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            console.write(bytes, from, length);
            OPEN.forEach(log -> log.captured.write(bytes, from, length));
          }
        };
    System.setErr(new PrintStream(all, true, StandardCharsets.UTF_8));
  }

  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  public CapturedLog() {
    OPEN.add(this);
  }

  public String text() {
    return captured.toString(StandardCharsets.UTF_8);
  }

  /** Returns the lines that contain all parts. */
  public List<String> lines(String... parts) {
    return text().lines().filter(line -> List.of(parts).stream().allMatch(line::contains)).toList();
  }

  @Override
  public void close() {
    OPEN.remove(this);
  }
}
