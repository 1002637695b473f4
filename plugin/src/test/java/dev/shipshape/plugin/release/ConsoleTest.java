package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Test
  void offATerminalEveryLineStandsForItselfWithoutColours() {
    var console = console(false, Map.of());

    console.heading("Step");
    console.progress("waiting 1");
    console.progress("waiting 2");
    console.verdict(true, "done");

    assertThat(printed()).isEqualTo("\nStep\n  waiting 1\n  waiting 2\n  ok: done\n");
  }

  @Test
  void onATerminalProgressIsRewrittenInPlaceAndErasedByWhatFollows() {
    var console = console(true, Map.of("NO_COLOR", "1"));

    console.progress("waiting 1");
    console.progress("waiting 2");
    console.result("done");

    assertThat(printed())
        .isEqualTo("\r\u001b[2K  waiting 1\r\u001b[2K  waiting 2\r\u001b[2K  done\n");
  }

  @Test
  void noColorTurnsColoursOffOnATerminalToo() {
    console(true, Map.of("NO_COLOR", "1")).verdict(false, "wrong");
    assertThat(printed()).isEqualTo("  FAILED: wrong\n");
    bytes.reset();

    console(true, Map.of("NO_COLOR", "")).verdict(false, "wrong");
    assertThat(printed()).isEqualTo("  \u001b[31mFAILED: \u001b[0mwrong\n");
  }

  private Console console(boolean terminal, Map<String, String> environment) {
    return new Console(new PrintStream(bytes, true, StandardCharsets.UTF_8), terminal, environment);
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
