package dev.shipshape.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process from its start to its end.
 *
 * @param residentMebibytes at most
 */
record TimedProcess(double seconds, double residentMebibytes) {
  private static final double NANOS = 1e9;
  private static final double KIBIBYTES = 1024;

  /**
   * Runs it, with GNU time for the memory.
   *
   * @param out what it prints
   * @throws IOException if it fails
   */
  static TimedProcess run(List<String> command, Path out) throws IOException, InterruptedException {
    var memory = Path.of(out + ".memory");
    var all = new ArrayList<>(List.of("/usr/bin/time", "-f", "%M", "-o", memory.toString()));
    all.addAll(command);
    var begin = System.nanoTime();
    var process =
        new ProcessBuilder(all)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var exit = process.waitFor();
    var seconds = (System.nanoTime() - begin) / NANOS;
    if (exit != 0) {
      throw new IOException("%s ended with %d".formatted(command, exit));
    }
    return new TimedProcess(seconds, Long.parseLong(Files.readString(memory).strip()) / KIBIBYTES);
  }
}
