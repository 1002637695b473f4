package dev.shipshape.audit;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads logs on all cores: files are divided into parts, and a part has the records that begin in
 * it. What cannot be read is counted and described; what is behind it is read.
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

  private record Part(LogFile file, long from, long to) {}

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
                  try (var sink = sinks.open()) {
                    var worker = new Worker(sink);
                    worker.work();
                    return worker;
                  }
                }));
      }
    }
    var matched = 0L;
    var read = new ArrayList<ReadReport.Part>();
    for (var future : workers) {
      var worker = result(future);
      matched += worker.matched;
      read.addAll(worker.read);
    }
    return ReadReport.of(matched, read);
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

  /** What one thread does. */
  private final class Worker {
    private final EventFinder finder;
    private final List<ReadReport.Part> read = new ArrayList<>();
    private long matched;

    Worker(Sink sink) {
      finder = new EventFinder(event -> matched += sink.accept(event) ? 1 : 0);
    }

    void work() throws IOException {
      for (var part = parts.poll(); part != null; part = parts.poll()) {
        // The byte before tells whether the part begins with a line.
        var from = Math.max(0, part.from() - 1);
        var to = part.to();
        part.file()
            .read(standardInput, from, (name, in) -> read.add(finder.read(in, name, from, to)));
      }
    }
  }
}
