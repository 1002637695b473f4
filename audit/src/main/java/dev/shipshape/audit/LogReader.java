package dev.shipshape.audit;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Reads logs on all cores, each file on one, as far as the heap has room. It counts and describes
 * what it cannot read, and continues behind it.
 */
final class LogReader {
  /** Receives the events that one thread reads. */
  interface Receiver {
    /** Returns whether the event matched. */
    boolean accept(RawEvent event) throws IOException;
  }

  /** What a thread sorts, and its buffers, in bytes. */
  private static final int MEMORY = 20 << 20;

  private final InputStream standardInput;
  private final ConcurrentLinkedQueue<LogFile> files;

  LogReader(List<LogFile> files, InputStream standardInput) {
    this.standardInput = standardInput;
    // The largest file takes longest, so it comes first.
    this.files =
        new ConcurrentLinkedQueue<>(
            files.stream().sorted(Comparator.comparingLong(LogFile::size).reversed()).toList());
  }

  /**
   * @param receivers one for each thread
   * @throws IOException if a file cannot be read or a receiver fails
   */
  ReadReport read(Supplier<Receiver> receivers) throws IOException {
    var jvm = Runtime.getRuntime();
    var threads = threads(files.size(), jvm.availableProcessors(), jvm.maxMemory());
    var workers = new ArrayList<Future<ReadReport>>();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      for (var i = 0; i < threads; i++) {
        workers.add(executor.submit(() -> work(receivers.get())));
      }
    }
    var matched = 0L;
    var read = new ArrayList<ReadReport.Log>();
    for (var future : workers) {
      var worker = result(future);
      matched += worker.matched();
      read.addAll(worker.logs());
    }
    read.sort(Comparator.comparing(ReadReport.Log::name));
    return new ReadReport(matched, read);
  }

  /** Of many processors, only as many read as the heap has room for. */
  static int threads(int files, int processors, long heap) {
    return Math.clamp(files, 1, Math.clamp(heap / MEMORY, 1, processors));
  }

  private static ReadReport result(Future<ReadReport> future) throws IOException {
    if (future.state() == Future.State.SUCCESS) {
      return future.resultNow();
    }
    switch (future.exceptionNow()) {
      case IOException failure -> throw failure;
      case Error error -> throw error;
      case Throwable other -> throw new IllegalStateException("reading audit logs", other);
    }
  }

  private ReadReport work(Receiver receiver) throws IOException {
    var read = new ArrayList<ReadReport.Log>();
    var matched = new long[1];
    EventFinder.Events events = event -> matched[0] += receiver.accept(event) ? 1 : 0;
    for (var file = files.poll(); file != null; file = files.poll()) {
      file.read(standardInput, (name, in) -> read.add(new EventFinder(in, name, events).read()));
    }
    return new ReadReport(matched[0], read);
  }
}
