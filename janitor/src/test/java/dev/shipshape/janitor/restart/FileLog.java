package dev.shipshape.janitor.restart;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The operator's log in a file. A line has the time that the operator wrote before it, in UTC; one
 * without has that of the line before.
 */
public final class FileLog implements OperatorLog {
  private static final long MOST_READ = 16 * 1024 * 1024;
  private static final int TIME_LENGTH = "2026-01-01 00:00:00,000".length();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS");

  private final Path file;

  public FileLog(Path file) {
    this.file = file;
  }

  @Override
  public List<InstanceHealth> read(OperatorSnapshot operator, Instant since, Supplier<LogScan> open)
      throws IOException {
    var scan = open.get();
    try (var channel = FileChannel.open(file)) {
      channel.position(Math.max(0, channel.size() - MOST_READ));
      var reader = new Timed(scan, Instant.MIN);
      BoundedLines.forEach(Channels.newInputStream(channel), reader::accept);
    }
    return List.of(
        new InstanceHealth(scan.diagnosis(), Files.getLastModifiedTime(file).toInstant(), false));
  }

  static final class Timed {
    private final LogScan scan;
    private Instant time;

    /**
     * @param before the time of lines before the first that has one
     */
    Timed(LogScan scan, Instant before) {
      this.scan = scan;
      this.time = before;
    }

    void accept(String line) {
      if (line.length() >= TIME_LENGTH) {
        try {
          time =
              LocalDateTime.parse(line.substring(0, TIME_LENGTH), TIME).toInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException e) {
          // A line within a record.
        }
      }
      scan.accept(time, line);
    }
  }
}
