package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Runs programs. */
final class BuildTool {
  private static final Pattern FOREIGN =
      Pattern.compile("HELM_.*|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS");

  private BuildTool() {}

  /**
   * Returns a program to start, with both streams as one. Java's variables would add to its output,
   * and Helm's would send it to the cluster of whoever builds.
   */
  static ProcessBuilder of(Path folder, List<String> command) {
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> FOREIGN.matcher(name).matches());
    return builder;
  }

  /**
   * Runs a program to its end and returns its output, both streams together.
   *
   * @throws IOException if it cannot be started or exits with another code than 0
   */
  static String run(Path folder, List<String> command) throws IOException, InterruptedException {
    var process = of(folder, command).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var exit = process.waitFor();
    if (exit != 0) {
      throw new IOException("%s ended with %d:%n%s".formatted(command, exit, output));
    }
    return output;
  }
}
