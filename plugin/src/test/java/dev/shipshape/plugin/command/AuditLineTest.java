package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class AuditLineTest {
  /** The deletion that it announces is not sent then. */
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
      assertThatThrownBy(() -> JanitorServer.writeAuditLine("{}"))
          .hasMessageContaining("audit line");
    } finally {
      System.setOut(before);
    }
  }
}
