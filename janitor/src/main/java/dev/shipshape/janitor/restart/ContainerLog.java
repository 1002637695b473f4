package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.PodLog;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.BiConsumer;

/**
 * The log of one container, line by line, as the kubelet gives it: each with its time before it.
 */
record ContainerLog(PodLog log) {

  /**
   * Reads what the running or last instance logged since a time, which counts by the second.
   *
   * @throws IOException where it cannot be read to its end
   */
  void read(Instant since, BiConsumer<Instant, String> each) throws IOException {
    requireFound(stream("&sinceTime=" + since.truncatedTo(ChronoUnit.SECONDS), each));
  }

  /** Reads what the instance before logged; nothing where the kubelet has cleared it away. */
  void readPrevious(Instant since, BiConsumer<Instant, String> each) throws IOException {
    var time = since.truncatedTo(ChronoUnit.SECONDS);
    var code = stream("&sinceTime=%s&previous=true".formatted(time), each);
    if (code >= 500) {
      requireFound(code);
    }
  }

  /** Reads the last line, however old. */
  void readLast(BiConsumer<Instant, String> each) throws IOException {
    requireFound(stream("&tailLines=1", each));
  }

  private void requireFound(int code) throws IOException {
    if (code != 200) {
      throw new IOException("%s was answered %d".formatted(log, code));
    }
  }

  private int stream(String query, BiConsumer<Instant, String> each) throws IOException {
    return log.read(
        "timestamps=true" + query,
        lines -> BoundedLines.forEach(lines, line -> accept(line, each)));
  }

  private static void accept(String line, BiConsumer<Instant, String> each) {
    var space = line.indexOf(' ');
    try {
      each.accept(Instant.parse(line.substring(0, Math.max(0, space))), line.substring(space + 1));
    } catch (DateTimeException e) {
      // Not a line of the log but of the kubelet's own about it, such as that it was rotated away.
    }
  }
}
