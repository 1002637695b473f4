package dev.shipshape.janitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/** What is logged until it is closed; no test runs beside. */
public final class CapturedLog implements AutoCloseable {
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  public CapturedLog() {
    System.setErr(new PrintStream(text, true, UTF_8));
  }

  public List<String> linesWith(String part) {
    return text.toString(UTF_8).lines().filter(line -> line.contains(part)).toList();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
