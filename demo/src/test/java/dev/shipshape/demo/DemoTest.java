package dev.shipshape.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.release.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DemoTest {
  @Test
  void theMainJobComesOutAsItShouldFromEndToEndAndLeavesNothingBehind() throws Exception {
    var bytes = new ByteArrayOutputStream();
    var console =
        new Console(new PrintStream(bytes, true, StandardCharsets.UTF_8), false, Map.of());
    var kept = new AtomicReference<Path>();

    var asExpected =
        new Demo(console, Clock.systemUTC())
            .run(
                kubeconfig -> {
                  assertThat(kubeconfig).exists();
                  kept.set(kubeconfig);
                });

    var printed = bytes.toString(StandardCharsets.UTF_8);
    assertThat(asExpected).as(printed).isTrue();
    assertThat(printed)
        .contains(
            "Error from server (Forbidden): error when patching \"worker-1-again.yaml\":"
                + " admission webhook \"known-invalid.shipshape.dev\" denied the request:",
            "200 sessions seen, 80 chosen, 80 gone",
            "not restarted: COOLDOWN",
            "11 of 11 came out as they should")
        .doesNotContain("NOT AS EXPECTED", "\u001b");
    assertThat(Files.exists(kept.get())).as("the state folder goes with the demo").isFalse();
  }
}
