package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.shipshape.service.BadSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Any log, its end and its middle again and again. */
class LogReviewFuzzTest {
  private static final int LONGEST_LINE = 64 * 1024;

  /** Of the processor, so that another program does not count; a scan takes some milliseconds. */
  private static final long MOST_NANOS = 2_000_000_000L;

  @TempDir private Path folder = Path.of("");
  private final List<Signature> signatures =
      Signature.SHIPPED.stream().map(Signature::shipped).toList();

  @FuzzTest
  void anyLogIsReadInTimeThatGrowsWithItsLength(byte[] log) throws IOException {
    if (log.length == 0) {
      return;
    }
    var signature = signatures.get((log[0] & 0xff) % signatures.size());
    var file = folder.resolve("operator.log");
    Files.write(file, log);
    assertReadsSoon(file, signature);
    Files.write(file, longer(log));
    assertReadsSoon(file, signature);
  }

  /** Its middle third again and again; its end is still within what is read of a line. */
  private static byte[] longer(byte[] log) {
    var third = log.length / 3;
    var longer = new ByteArrayOutputStream();
    longer.write(log, 0, third);
    do {
      longer.write(log, third, log.length - 2 * third);
    } while (longer.size() + log.length < LONGEST_LINE);
    longer.write(log, log.length - third, third);
    return longer.toByteArray();
  }

  private static void assertReadsSoon(Path file, Signature signature) throws IOException {
    var cpu = ManagementFactory.getThreadMXBean();
    var before = cpu.getCurrentThreadCpuTime();
    try {
      var review = LogReview.of(file, signature);

      assertThat(review.lines()).isEqualTo(lines(Files.readAllBytes(file)));
      assertThat(review.first()).isBeforeOrEqualTo(review.last());
      assertThat(review.matches()).allSatisfy(m -> assertThat(m.line()).isPositive());
    } catch (BadSettings e) {
      assertThat(e.problems())
          .singleElement()
          .asString()
          .matches("(?s).*(before each|\\(tac\\)|as they were written)");
    }
    assertThat(cpu.getCurrentThreadCpuTime() - before).isLessThan(MOST_NANOS);
  }

  private static long lines(byte[] log) {
    var lines = log[log.length - 1] == '\n' ? 0 : 1;
    for (var b : log) {
      lines += b == '\n' ? 1 : 0;
    }
    return lines;
  }
}
