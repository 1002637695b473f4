package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs the programs that packaging is made with. */
final class BuildTool {
  private BuildTool() {}

  /**
   * Runs one to its end and returns what it printed, both streams together.
   *
   * @throws IOException where it cannot be started or ends with another code than 0
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
