package dev.shipshape.janitor;

import dev.shipshape.janitor.restart.OperatorLogText;
import dev.shipshape.janitor.restart.OperatorLogText.Quotes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** The operator's log in a file. */
record OperatorLogFile(Path file) {
  private static final OperatorLogText TEXT = new OperatorLogText(false, Quotes.TWICE);

  /** Five failures up to that time. */
  void stuckAt(Instant last) throws IOException {
    var text = new StringBuilder();
    for (var i = 4; i >= 0; i--) {
      text.append(TEXT.failure(last.minusSeconds(i), "id-" + i));
    }
    Files.writeString(file, text);
  }

  /** An operator at work. */
  void quietAt(Instant time) throws IOException {
    Files.writeString(file, TEXT.event(time, "MODIFIED"));
  }
}
