package dev.shipshape.sandbox;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What one run of a program wrote; its file may hold earlier runs too.
 *
 * @param file the file
 * @param start where this run begins in it, in bytes
 */
record ProgramLog(Path file, long start) {
  private static final int LINES = 8;
  private static final int BYTES = 16 * 1024;

  /** The log of a program that is about to start. */
  static ProgramLog fromHere(Path file) throws IOException {
    return new ProgramLog(file, Files.exists(file) ? Files.size(file) : 0);
  }

  /** The end of what the program wrote, and where the rest is. */
  String lastLines() {
    try (var channel = Files.newByteChannel(file)) {
      channel.position(Math.max(start, channel.size() - BYTES));
      var bytes = Channels.newInputStream(channel).readAllBytes();
      var lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "(could not read %s: %s)".formatted(file, e.getMessage());
    }
  }
}
