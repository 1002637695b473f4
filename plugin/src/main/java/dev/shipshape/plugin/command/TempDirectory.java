package dev.shipshape.plugin.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder for files that Helm is to read; it goes with them when closed. */
record TempDirectory(Path path) implements AutoCloseable {
  static TempDirectory create() throws IOException {
    return new TempDirectory(Files.createTempDirectory("shipshape"));
  }

  /** Writes a file into it. */
  Path write(String name, String text) throws IOException {
    return Files.writeString(path.resolve(name), text);
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.list(path)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(path);
  }
}
