package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a file, each on the disk before the next: what was deleted is still known when the
 * machine fails. A file that is full is renamed ({@code .1} is the newest) and the oldest goes.
 */
public final class FileJournal implements Journal {
  private static final Logger logger = LoggerFactory.getLogger(FileJournal.class);

  private final Path file;
  private final long mostBytes;
  private final int kept;
  private final InstantSource clock;

  /**
   * @param mostBytes how large the file may grow
   * @param kept how many full files are kept beside it
   */
  public FileJournal(Path file, long mostBytes, int kept, InstantSource clock) {
    this.file = file;
    this.mostBytes = mostBytes;
    this.kept = kept;
    this.clock = clock;
  }

  /** A record that cannot be written is logged whole: the deletion has happened. */
  @Override
  public synchronized void record(String run, Deletion deletion) {
    var line = LineJournal.line(run, deletion, clock.instant());
    try {
      var bytes = (line + "\n").getBytes(UTF_8);
      if (Files.exists(file) && Files.size(file) + bytes.length > mostBytes) {
        rotate();
      }
      append(bytes);
    } catch (IOException e) {
      logger.error("could not write to {}: {}; the record: {}", file, e.toString(), line);
    }
  }

  private void append(byte[] bytes) throws IOException {
    try (var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
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
