package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Predicate;

/**
 * Lines in a file. One that is full is renamed ({@code .1} is the newest) and the oldest goes.
 *
 * @param mostBytes how large the file may grow
 * @param kept how many full files are kept beside it
 */
record RecordFile(Path file, long mostBytes, int kept) {

  /**
   * Appends a line, or nothing of it.
   *
   * @param toDisk whether it must be on the disk when this returns
   */
  void append(String line, boolean toDisk) throws IOException {
    var bytes = (line + "\n").getBytes(UTF_8);
    if (Files.exists(file) && Files.size(file) + bytes.length > mostBytes) {
      rotate();
    }
    try (var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      if (toDisk) {
        channel.force(true);
      }
    } catch (IOException e) {
      repair();
      throw e;
    }
  }

  /** Takes away a last line that was not written to its end. */
  void repair() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var end = channel.size();
      var one = ByteBuffer.allocate(1);
      while (end > 0) {
        one.clear();
        channel.read(one, end - 1);
        if (one.get(0) == '\n') {
          break;
        }
        end--;
      }
      channel.truncate(end);
    }
  }

  /** Whether any line of any of the files is like that. */
  boolean has(Predicate<String> line) throws IOException {
    for (var number = 0; number <= kept; number++) {
      var path = number == 0 ? file : full(number);
      if (Files.exists(path)) {
        try (var lines = Files.lines(path)) {
          if (lines.anyMatch(line)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void rotate() throws IOException {
    for (var number = kept; number > 0; number--) {
      var from = number == 1 ? file : full(number - 1);
      if (Files.exists(from)) {
        Files.move(from, full(number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private Path full(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }
}
