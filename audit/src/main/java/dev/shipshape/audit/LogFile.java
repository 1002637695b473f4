package dev.shipshape.audit;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A log to read.
 *
 * @param name as the user named it
 * @param path null for standard input
 * @param size in bytes
 * @param divisible whether several threads may read parts of it: not what is packed or comes once
 */
record LogFile(String name, @Nullable Path path, long size, boolean divisible) {
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;
  private static final int BUFFER = 64 << 10;

  /**
   * The logs that operands mean: files, {@code -} for standard input, and folders with all files
   * below, without hidden ones.
   *
   * @throws UnreadableLog if one cannot be read
   */
  static List<LogFile> of(List<String> operands) throws IOException {
    var logs = new ArrayList<LogFile>();
    for (var operand : operands) {
      if (operand.equals("-")) {
        logs.add(new LogFile("(stdin)", null, 0, false));
      } else if (operand.isBlank()) {
        throw new UnreadableLog("''", new IOException("a log has a name"));
      } else if (Files.isDirectory(Path.of(operand))) {
        addFolder(Path.of(operand), logs);
      } else {
        logs.add(file(Path.of(operand)));
      }
    }
    return logs;
  }

  private static void addFolder(Path folder, List<LogFile> logs) throws IOException {
    try (var files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      for (var file :
          files.filter(Files::isRegularFile).filter(LogFile::isShown).sorted().toList()) {
        logs.add(file(file));
      }
    } catch (UncheckedIOException e) {
      throw new UnreadableLog(
          folder.toString(), e.getCause() == null ? new IOException(e) : e.getCause());
    }
  }

  private static boolean isShown(Path file) {
    return !String.valueOf(file.getFileName()).startsWith(".");
  }

  private static LogFile file(Path path) throws IOException {
    // A pipe gives its bytes once: they are not for looking.
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      return new LogFile(path.toString(), path, 0, false);
    }
    try (var in = Files.newInputStream(path)) {
      var packed = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
      return new LogFile(path.toString(), path, Files.size(path), !packed);
    } catch (IOException e) {
      throw new UnreadableLog(path.toString(), e);
    }
  }

  /** What it holds, unpacked, from an offset on. */
  InputStream open(InputStream standardInput, long offset) throws IOException {
    if (divisible && path != null) {
      return Channels.newInputStream(FileChannel.open(path).position(offset));
    }
    var in =
        new BufferedInputStream(path == null ? standardInput : Files.newInputStream(path), BUFFER);
    in.mark(2);
    var packed = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
    in.reset();
    return packed ? new GZIPInputStream(in, BUFFER) : in;
  }
}
