package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.junit.Promise;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class AuditLineTest {
  /** The deletion that it announces is not sent then. */
  @Promise(
      value = "Without an audit line, nothing is deleted or restarted.",
      breaks = "Ignoring an error of standard output.")
  @Test
  void aLineThatCannotBeWrittenIsAFailure() {
    var before = System.out;
    System.setOut(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int octet) throws IOException {
                throw new IOException("broken pipe");
              }
            }));
    try {
      assertThatThrownBy(() -> JanitorServer.writeAuditLine(System.out, "{}"))
          .hasMessageContaining("audit line");
    } finally {
      System.setOut(before);
    }
  }
}
