package dev.shipshape.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.ZipException;

/**
 * Reads logs on all cores: files are divided into parts, and a part has the lines that begin in it.
 * What cannot be read is counted, and named by file and line; the lines behind it are read.
 */
final class LogReader {
  /** Takes the events that one thread reads. */
  interface Sink extends AutoCloseable {
    /** Whether it was wanted. */
    boolean accept(Line line) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Makes a sink for each thread. */
  interface Sinks {
    Sink open();
  }

  private static final long PART = 8 << 20;

  /** Of the lines that cannot be read, each thread remembers so many. */
  private static final int MAX_NAMED = 1000;

  /** Names of hosts are shorter. */
  private static final int MAX_PREFIX = 256;

  private record Part(LogFile file, long from, long to) {}

  /**
   * A line that cannot be read.
   *
   * @param place its first byte's, from which its number is counted afterwards; where that cannot
   *     be read again, its number
   */
  private record Broken(LogFile file, long place, String reason) {}

  private final InputStream standardInput;
  private final ConcurrentLinkedQueue<Part> parts = new ConcurrentLinkedQueue<>();

  LogReader(List<LogFile> files, InputStream standardInput) {
    this.standardInput = standardInput;
    // What cannot be divided takes longest, so it comes first.
    files.stream()
        .filter(file -> !file.divisible())
        .forEach(file -> parts.add(new Part(file, 0, Long.MAX_VALUE)));
    files.stream().filter(LogFile::divisible).forEach(this::addParts);
  }

  private void addParts(LogFile file) {
    for (var from = 0L; from < file.size(); from += PART) {
      parts.add(new Part(file, from, Math.min(from + PART, file.size())));
    }
  }

  /**
   * Reads all and waits for it.
   *
   * @throws IOException if a file cannot be read or a sink fails
   */
  ReadReport read(Sinks sinks) throws IOException {
    var threads = Math.clamp(parts.size(), 1, Runtime.getRuntime().availableProcessors());
    var workers = new ArrayList<Future<Worker>>();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      for (var i = 0; i < threads; i++) {
        workers.add(
            executor.submit(
                () -> {
                  var worker = new Worker();
                  try (var sink = sinks.open()) {
                    worker.work(sink);
                  }
                  return worker;
                }));
      }
    }
    return report(workers);
  }

  private ReadReport report(List<Future<Worker>> workers) throws IOException {
    var events = 0L;
    var matched = 0L;
    var brokenLines = 0L;
    var broken = new ArrayList<Broken>();
    for (var future : workers) {
      var worker = result(future);
      events += worker.events;
      matched += worker.matched;
      brokenLines += worker.brokenLines;
      broken.addAll(worker.broken);
    }
    return new ReadReport(events, matched, brokenLines, examples(broken));
  }

  private static Worker result(Future<Worker> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("reading audit logs", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading", e);
    }
  }

  private List<ReadReport.BrokenLine> examples(List<Broken> broken) throws IOException {
    var byFile = new TreeMap<String, List<Broken>>();
    for (var line : broken) {
      byFile.computeIfAbsent(line.file().name(), _ -> new ArrayList<>()).add(line);
    }
    var examples = new ArrayList<ReadReport.BrokenLine>();
    for (var lines : byFile.values()) {
      lines.sort(Comparator.comparingLong(Broken::place));
      number(lines.subList(0, Math.min(lines.size(), ReadReport.EXAMPLES)), examples);
    }
    return examples.subList(0, Math.min(examples.size(), ReadReport.EXAMPLES));
  }

  /** Counts the lines before each; of what comes once, the line's number is known already. */
  private void number(List<Broken> broken, List<ReadReport.BrokenLine> examples)
      throws IOException {
    var file = broken.getFirst().file();
    if (!file.divisible()) {
      broken.forEach(
          line ->
              examples.add(new ReadReport.BrokenLine(file.name(), line.place(), line.reason())));
      return;
    }
    var lines = new LineBuffer();
    try (var in = file.open(standardInput, 0)) {
      lines.open(in, 0);
      var number = 1L;
      for (var line : broken) {
        for (; lines.nextOffset() <= line.place() && lines.next(); number++) {
          if (lines.tooLong()) {
            lines.rest().close();
          }
        }
        examples.add(new ReadReport.BrokenLine(file.name(), number - 1, line.reason()));
      }
    }
  }

  /** What one thread does. */
  private final class Worker {
    private final LineBuffer lines = new LineBuffer();
    private final Line line = new Line();
    private final Line item = new Line();
    private final List<Broken> broken = new ArrayList<>();
    private long events;
    private long matched;
    private long brokenLines;
    private long lineNumber;
    private long lineOffset;

    void work(Sink sink) throws IOException {
      for (var part = parts.poll(); part != null; part = parts.poll()) {
        // The byte before tells whether the part begins with a line.
        var from = Math.max(0, part.from() - 1);
        lineNumber = 0;
        try (var in = part.file().open(standardInput, from)) {
          lines.open(in, from);
          if (part.from() == 0 || lines.next()) {
            read(part, sink);
          }
        } catch (EOFException | ZipException e) {
          broken(part, "cannot be unpacked from here on: " + e.getMessage());
        } catch (TemporaryFileFailure e) {
          throw e;
        } catch (IOException e) {
          throw new UnreadableLog(part.file().name(), e);
        }
      }
    }

    private void read(Part part, Sink sink) throws IOException {
      while (lines.nextOffset() < part.to()) {
        if (lines.isAhead('{')) {
          // Nearly all lines: the event is passed before the line's end is looked for.
          var end = line.parse(lines.bytes(), lines.ahead(), lines.limit(), part.file().name());
          if (end >= 0 && !line.isList() && lines.endsAt(end)) {
            lineNumber++;
            lineOffset = lines.lineOffset();
            accept(line, part, sink);
            continue;
          }
        }
        if (!lines.next()) {
          break;
        }
        lineNumber++;
        lineOffset = lines.lineOffset();
        if (lines.tooLong()) {
          readLong(part, sink);
        } else if (!isBlank(lines.bytes(), lines.start(), lines.end())) {
          read(lines.bytes(), lines.start(), lines.end(), part, sink);
        }
      }
    }

    private void read(byte[] bytes, int from, int to, Part part, Sink sink) throws IOException {
      var object = objectStart(bytes, from, to);
      if (object < 0) {
        broken(part, "is no JSON object");
        return;
      }
      var end = line.parse(bytes, object, to, source(part, bytes, from, object));
      if (end < 0) {
        broken(part, end == EventParser.CUT ? "is cut" : "is no JSON");
      } else if (!isBlank(bytes, end, to)) {
        broken(part, "goes on behind the event: two lines mixed, perhaps");
      } else if (line.isList()) {
        readItems(bytes, part, sink);
      } else {
        accept(line, part, sink);
      }
    }

    private void readItems(byte[] bytes, Part part, Sink sink) throws IOException {
      var at = line.from(Field.ITEMS) + 1;
      var last = at + line.length(Field.ITEMS) - 2;
      while (at < last) {
        if (bytes[at] != '{') {
          at++;
          continue;
        }
        at = item.parse(bytes, at, last, line.source());
        if (at < 0) {
          broken(part, "has an item that is no JSON object");
          return;
        }
        accept(item, part, sink);
      }
    }

    /** What does not fit into memory is read without bodies. */
    private void readLong(Part part, Sink sink) throws IOException {
      var object = objectStart(lines.bytes(), lines.start(), lines.end());
      var source = object < 0 ? "" : source(part, lines.bytes(), lines.start(), object);
      var prefix = Math.max(0, object - lines.start());
      try (var rest = lines.rest()) {
        rest.skipNBytes(prefix);
        LongLine.read(rest, head -> readHead(head, part, source, sink));
      } catch (JsonProcessingException e) {
        broken(part, "is too long, and no JSON");
      }
    }

    private void readHead(byte[] head, Part part, String source, Sink sink) throws IOException {
      if (line.parse(head, 0, head.length, source) >= 0 && !line.isList()) {
        accept(line, part, sink);
      }
    }

    private void accept(Line event, Part part, Sink sink) throws IOException {
      if (!event.isEvent()) {
        broken(part, "is no audit event with auditID, stage and requestReceivedTimestamp");
        return;
      }
      events++;
      matched += sink.accept(event) ? 1 : 0;
    }

    /** Some dumps put the host's name before each line; -1 if something else is there. */
    private static int objectStart(byte[] bytes, int from, int to) {
      for (var i = from; i < to && i < from + MAX_PREFIX; i++) {
        if (bytes[i] == '{') {
          return i;
        }
        if (bytes[i] == '"' || bytes[i] == '[' || bytes[i] == '}') {
          return -1;
        }
      }
      return -1;
    }

    private String source(Part part, byte[] bytes, int from, int object) {
      if (from == object) {
        return part.file().name();
      }
      var host =
          new String(bytes, from, object - from, StandardCharsets.UTF_8)
              // Some editors begin a file with the first, a file that was cut while written has the
              // second.
              .replace("\ufeff", "")
              .replace("\0", "")
              .strip();
      return host.isEmpty() ? part.file().name() : part.file().name() + "@" + host;
    }

    private static boolean isBlank(byte[] bytes, int from, int to) {
      for (var i = from; i < to; i++) {
        if ((bytes[i] & 0xff) > ' ') {
          return false;
        }
      }
      return true;
    }

    private void broken(Part part, String reason) {
      brokenLines++;
      // Parts come in any order, so that each may have the first ones.
      if (broken.size() < MAX_NAMED) {
        var place = part.file().divisible() ? lineOffset : Math.max(1, lineNumber);
        broken.add(new Broken(part.file(), place, reason));
      }
    }
  }
}
