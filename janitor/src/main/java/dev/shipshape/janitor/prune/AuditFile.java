package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines in a file that one process holds at a time, each on the disk before the next. A full file
 * is renamed ({@code .1} is the newest) and the oldest goes.
 */
public final class AuditFile implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(AuditFile.class);

  /** Takes a line, or says that it is none. */
  interface LineReader {
    void read(String line) throws IOException;
  }

  private final Path path;
  private final long mostBytes;
  private final int kept;
  private @Nullable FileChannel channel;

  /**
   * Opens nothing yet.
   *
   * @param mostBytes how large the file may grow before it is renamed
   * @param kept how many full files are kept beside it
   */
  public AuditFile(Path path, long mostBytes, int kept) {
    this.path = path;
    this.mostBytes = mostBytes;
    this.kept = kept;
  }

  Path path() {
    return path;
  }

  boolean isOpen() {
    return channel != null;
  }

  /**
   * Opens the file, and makes it where it is not there.
   *
   * @param each takes each line, those of the full files before
   * @throws IOException where it cannot be used, or another process holds it
   */
  void open(LineReader each) throws IOException {
    var whole = open();
    try {
      for (var number = kept; number > 0; number--) {
        if (Files.exists(full(number))) {
          read(Files.readString(full(number)), each);
        }
      }
      read(whole, each);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Returns what is in it. */
  private String open() throws IOException {
    var opened =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (opened.tryLock() == null) {
        throw new IOException(path + " is locked by another process, such as a second janitor");
      }
      var text = Files.readString(path);
      // A last line that was not written to its end never counted.
      var whole = text.substring(0, text.lastIndexOf('\n') + 1);
      opened.truncate(whole.getBytes(UTF_8).length);
      opened.position(opened.size());
      channel = opened;
      return whole;
    } catch (OverlappingFileLockException e) {
      opened.close();
      throw new IOException(path + " is open in this process already", e);
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  private static void read(String text, LineReader each) throws IOException {
    for (var line : text.lines().toList()) {
      each.read(line);
    }
  }

  /** Appends a line; on the disk when this returns. To be opened again where it fails. */
  void append(String line) throws IOException {
    var to = channel;
    if (to == null) {
      throw new IOException(path + " is not open");
    }
    try {
      var buffer = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
      while (buffer.hasRemaining()) {
        to.write(buffer);
      }
      to.force(false);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  void rotateWhereFull() throws IOException {
    if (channel == null || channel.size() < mostBytes) {
      return;
    }
    close();
    for (var number = kept; number > 0; number--) {
      var from = number == 1 ? path : full(number - 1);
      if (Files.exists(from)) {
        Files.move(from, full(number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    open();
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      logger.warn("could not close {}: {}", path, e.toString());
    }
    channel = null;
  }

  private Path full(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }
}
