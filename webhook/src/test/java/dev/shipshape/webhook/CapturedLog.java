package dev.shipshape.webhook;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Captures System.err, to which this process logs, until it is closed. */
public final class CapturedLog implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  public CapturedLog() {
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
  }

  public String text() {
    return captured.toString(StandardCharsets.UTF_8);
  }

  /** Returns the lines that contain all parts. */
  List<String> lines(String... parts) {
    return text().lines().filter(line -> List.of(parts).stream().allMatch(line::contains)).toList();
  }

  @Override
  public void close() {
    System.setErr(before);
    before.print(text());
  }
}
