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
import org.jspecify.annotations.Nullable;

/**
 * A log to read.
 *
 * @param name as the user named it
 * @param path null for standard input
 * @param size in bytes
 * @param divisible whether several threads may read parts of it: not what is packed, comes once, or
 *     has values over several lines
 */
record LogFile(String name, @Nullable Path path, long size, boolean divisible) {
  private static final int BUFFER = 64 << 10;

  /** Takes what a log, or one file of an archive, holds. */
  interface Contents {
    void accept(String name, InputStream in) throws IOException;
  }

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
    try (var in = new BufferedInputStream(Files.newInputStream(path), BUFFER)) {
      var divisible = !Unpacking.isPacked(in) && hasLines(in.readNBytes(BUFFER));
      return new LogFile(path.toString(), path, Files.size(path), divisible);
    } catch (IOException e) {
      throw new UnreadableLog(path.toString(), e);
    }
  }

  /**
   * Whether each line is by itself: a value over several lines has one of these at a line's end.
   */
  private static boolean hasLines(byte[] beginning) {
    var last = 0;
    for (var b : beginning) {
      if (b == '\n') {
        return "{[,".indexOf(last) < 0;
      }
      last = b > ' ' ? b : last;
    }
    return false;
  }

  /**
   * Reads what it holds, unpacked.
   *
   * @param from where to begin; 0 if it is not divisible
   * @throws IOException if it cannot be opened, or the contents could not be taken
   */
  void read(InputStream standardInput, long from, Contents contents) throws IOException {
    if (path == null) {
      Unpacking.read(name, new BufferedInputStream(standardInput, BUFFER), contents);
      return;
    }
    try (var file = open(path, from)) {
      if (divisible) {
        contents.accept(name, file);
      } else {
        Unpacking.read(name, new BufferedInputStream(file, BUFFER), contents);
      }
    }
  }

  private InputStream open(Path file, long from) throws IOException {
    try {
      // A pipe has no position.
      return divisible
          ? Channels.newInputStream(FileChannel.open(file).position(from))
          : Files.newInputStream(file);
    } catch (IOException e) {
      throw new UnreadableLog(name, e);
    }
  }
}
