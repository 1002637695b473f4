package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private final StringWriter printed = new StringWriter();

  @Test
  void everyLineStandsForItself() {
    var console = new Console(new PrintWriter(printed));

    console.heading("Step");
    console.result("waiting 1");
    console.verdict(true, "done");

    assertThat(printed.toString()).isEqualTo("\nStep\n  waiting 1\n  ok: done\n");
  }

  @Test
  void whatIsWrongIsRedWhereThereAreColours() {
    System.setProperty("picocli.ansi", "true");
    try {
      new Console(new PrintWriter(printed)).verdict(false, "wrong");
    } finally {
      System.clearProperty("picocli.ansi");
    }

    assertThat(printed.toString()).isEqualTo("  \u001b[31mFAILED: \u001b[0mwrong\n");
  }
}
