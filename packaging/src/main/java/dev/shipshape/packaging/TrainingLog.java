package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/** Writes an audit log for the training. The compiler optimises for its mix of events. */
final class TrainingLog {
  /** Enough that the JVM compiles the code and runs it for a while. */
  private static final int EVENTS = 120_000;

  private TrainingLog() {}

  /**
   * Writes {@code audit.log} from the three forms in {@code audit-events}; the content is always
   * the same. Half of the events are reads, most others status updates of pods, the rest have large
   * texts.
   */
  static void write(Path folder) throws IOException {
    var forms = Files.readAllLines(folder.resolve("audit-events"));
    var random = new Random(3);
    var received = Instant.parse("2026-01-01T00:00:00Z");
    try (var out = Files.newBufferedWriter(folder.resolve("audit.log"))) {
      for (var number = 0; number < EVENTS; number++) {
        var kind = random.nextInt(100);
        var form = kind < 50 ? 0 : kind < 90 ? 1 : 2;
        var pod = random.nextInt(3_000);
        var lines = form < 2 ? 0 : 40 + random.nextInt(120);
        received = received.plus(Duration.ofNanos(1_000L * (random.nextInt(2_500) - 300)));
        var code = random.nextInt(40) == 0 ? 409 : 200;
        var staged = received.plus(Duration.ofNanos(1_000L * random.nextInt(30_000)));
        var text = "key: \\\"value\\\"\\nlist:\\n- a\\n".repeat(lines);
        out.write(forms.get(form).formatted(number, pod, code, received, staged, text));
        out.newLine();
      }
    }
  }
}
