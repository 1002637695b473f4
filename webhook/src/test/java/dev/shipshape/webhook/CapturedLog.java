package dev.shipshape.webhook;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged until this is closed, by whatever runs in this process. */
public final class CapturedLog implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  public CapturedLog() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  public String text() {
    return said.toString(StandardCharsets.UTF_8);
  }

  /** The lines that contain all of these. */
  List<String> lines(String... parts) {
    return text().lines().filter(line -> List.of(parts).stream().allMatch(line::contains)).toList();
  }

  @Override
  public void close() {
    System.setErr(before);
    before.print(text());
  }
}
