package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs programs. */
final class BuildTool {
  private BuildTool() {}

  /**
   * Runs a program to its end and returns its output, both streams together.
   *
   * @throws IOException if it cannot be started or exits with another code than 0
   */
  static String run(Path folder, List<String> command) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var exit = process.waitFor();
    if (exit != 0) {
      throw new IOException("%s ended with %d:%n%s".formatted(command, exit, output));
    }
    return output;
  }
}
