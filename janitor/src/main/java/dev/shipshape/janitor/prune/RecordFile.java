package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
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
record RecordFile(Path file, long mostBytes, int kept, Sync sync) {

  /** Has what was written reach the disk. */
  @FunctionalInterface
  interface Sync {
    void force(FileChannel channel) throws IOException;
  }

  /** A line that could neither be appended nor be taken back. */
  static final class Uncertain extends IOException {
    private static final long serialVersionUID = 1L;

    Uncertain(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  RecordFile(Path file, long mostBytes, int kept) {
    this(file, mostBytes, kept, channel -> channel.force(true));
  }

  /**
   * Appends a line, or nothing of it.
   *
   * @param toDisk whether it must be on the disk when this returns
   * @throws Uncertain where it failed, and what was written of the line may be there all the same
   */
  void append(String line, boolean toDisk) throws IOException {
    var bytes = (line + "\n").getBytes(UTF_8);
    if (Files.exists(file) && Files.size(file) + bytes.length > mostBytes) {
      rotate();
    }
    try (var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      var before = channel.size();
      try {
        var buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        if (toDisk) {
          sync.force(channel);
        }
      } catch (IOException e) {
        takeBack(channel, before, e);
        throw e;
      }
    }
  }

  private static void takeBack(FileChannel channel, long before, IOException why) throws Uncertain {
    try {
      channel.truncate(before);
    } catch (IOException e) {
      throw new Uncertain(why);
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
        } catch (UncheckedIOException e) {
          throw e.getCause();
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
