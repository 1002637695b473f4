package dev.shipshape.janitor.restart;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Reads a log line by line, with a limit on the memory for one line. */
final class BoundedLines {
  /** The rest of a longer line is dropped; in JSON, a signature may match far behind. */
  private static final int MAX_LINE_BYTES = 64 * 1024;

  private BoundedLines() {}

  static void forEach(InputStream log, Consumer<String> each) throws IOException {
    var in = new BufferedInputStream(log, 32 * 1024);
    var line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\n') {
        each.accept(line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else if (line.size() < MAX_LINE_BYTES) {
        line.write(next);
      }
    }
    if (line.size() > 0) {
      each.accept(line.toString(StandardCharsets.UTF_8));
    }
  }
}
