package dev.shipshape.audit;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * @param name as the user typed it
 * @param path null for standard input
 * @param size in bytes; {@code Long.MAX_VALUE} if unknown
 */
record LogFile(String name, @Nullable Path path, long size) {
  private static final int BUFFER = 64 << 10;

  /** Receives the content of a log, or of each file of an archive. */
  interface Contents {
    void accept(String name, InputStream in) throws IOException;
  }

  /**
   * Finds the logs of operands: files, {@code -} for standard input, and folders with all files
   * below them except hidden ones.
   *
   * @throws UnreadableLog if one cannot be read
   */
  static List<LogFile> of(List<String> operands) throws IOException {
    var logs = new ArrayList<LogFile>();
    // Standard input can be read once only.
    for (var operand : new LinkedHashSet<>(operands)) {
      if (operand.equals("-")) {
        logs.add(new LogFile("(stdin)", null, Long.MAX_VALUE));
      } else if (operand.isBlank()) {
        throw new UnreadableLog("''", new IOException("the name is empty; is a variable not set?"));
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
          files
              .filter(Files::isRegularFile)
              .filter(file -> isShown(folder.relativize(file)))
              .sorted()
              .toList()) {
        logs.add(file(file));
      }
    } catch (UncheckedIOException e) {
      throw new UnreadableLog(
          folder.toString(), e.getCause() == null ? new IOException(e) : e.getCause());
    } catch (AccessDeniedException e) {
      throw new UnreadableLog(folder.toString(), e);
    }
  }

  private static boolean isShown(Path file) {
    return StreamSupport.stream(file.spliterator(), false)
        .noneMatch(part -> part.toString().startsWith("."));
  }

  private static LogFile file(Path path) throws IOException {
    // A pipe can be read only once, so it is not opened for a check.
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      return new LogFile(path.toString(), path, Long.MAX_VALUE);
    }
    try (var _ = Files.newInputStream(path)) {
      return new LogFile(path.toString(), path, Files.size(path));
    } catch (IOException e) {
      throw new UnreadableLog(path.toString(), e);
    }
  }

  /**
   * Reads and unpacks it.
   *
   * @throws IOException if it cannot be opened, or the receiver fails
   */
  void read(InputStream standardInput, Contents contents) throws IOException {
    if (path == null) {
      // The caller closes standard input.
      Unpacking.read(name, new BufferedInputStream(standardInput, BUFFER), contents);
      return;
    }
    try (var in = new BufferedInputStream(open(path), BUFFER)) {
      Unpacking.read(name, in, contents);
    }
  }

  private InputStream open(Path file) throws IOException {
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw new UnreadableLog(name, e);
    }
  }
}
