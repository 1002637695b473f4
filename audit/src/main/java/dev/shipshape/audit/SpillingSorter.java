package dev.shipshape.audit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts records by their bytes, in bounded memory: it writes sorted runs to temporary files and
 * merges them at the end.
 */
final class SpillingSorter implements AutoCloseable {
  /** The memory of one writer before it writes a run. */
  private static final int MEMORY = 12 << 20;

  /** The bytes of an array's header and of the reference to it. */
  private static final int OVERHEAD = 24;

  private static final int MAX_RUNS = 200;
  private static final int BUFFER = 64 << 10;

  private final Path folder;
  private final List<FileChannel> runs = Collections.synchronizedList(new ArrayList<>());

  /** The records of each writer that are still in memory. */
  private final List<List<byte[]>> unspilled = Collections.synchronizedList(new ArrayList<>());

  /** Returns sorted records, one by one; null at the end. */
  interface Source {
    byte @Nullable [] next() throws IOException;
  }

  /** Sorts with temporary files in a folder. They are unlinked at once, so none is left behind. */
  SpillingSorter(Path folder) {
    this.folder = folder;
  }

  /** Adds records; for one thread. */
  final class Writer {
    private final List<byte[]> records;
    private long bytes;

    private Writer(List<byte[]> records) {
      this.records = records;
    }

    void add(byte[] record) throws IOException {
      records.add(record);
      bytes += record.length + OVERHEAD;
      if (bytes > MEMORY) {
        records.sort(Arrays::compareUnsigned);
        spill(source(records));
        records.clear();
        bytes = 0;
      }
    }
  }

  Writer writer() {
    var records = new ArrayList<byte[]>();
    unspilled.add(records);
    return new Writer(records);
  }

  /** Returns all records in their order, once every writer has ended; one iteration at a time. */
  Source sorted() throws IOException {
    while (runs.size() > MAX_RUNS) {
      var first = List.copyOf(runs.subList(0, MAX_RUNS));
      spill(merged(sources(first)));
      for (var run : first) {
        run.close();
      }
      runs.removeAll(first);
    }
    var all = sources(runs);
    for (var records : unspilled) {
      records.sort(Arrays::compareUnsigned);
      all.add(source(records));
    }
    return merged(all);
  }

  private void spill(Source sorted) throws IOException {
    try {
      var run = open();
      var out =
          new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(run), BUFFER));
      for (var record = sorted.next(); record != null; record = sorted.next()) {
        out.writeInt(record.length);
        out.write(record);
      }
      out.flush();
    } catch (IOException e) {
      throw new IOException(
          "could not write temporary files into %s (TMPDIR names another folder): %s"
              .formatted(folder, UnreadableLog.reason(e)),
          e);
    }
  }

  private FileChannel open() throws IOException {
    var run =
        FileChannel.open(
            Files.createTempFile(folder, "shipshape-audit", ".run"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    runs.add(run);
    return run;
  }

  private static Source source(List<byte[]> records) {
    var each = records.iterator();
    return () -> each.hasNext() ? each.next() : null;
  }

  private static List<Source> sources(List<FileChannel> runs) throws IOException {
    var sources = new ArrayList<Source>();
    for (var run : runs) {
      run.position(0);
      var in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(run), BUFFER));
      sources.add(() -> read(in));
    }
    return sources;
  }

  @Override
  public void close() throws IOException {
    for (var run : runs) {
      run.close();
    }
  }

  private static byte @Nullable [] read(DataInputStream in) throws IOException {
    try {
      var record = new byte[in.readInt()];
      in.readFully(record);
      return record;
    } catch (EOFException e) {
      return null;
    } catch (IOException e) {
      throw new IOException("could not read a temporary file: " + UnreadableLog.reason(e), e);
    }
  }

  /** A sorted run, ordered by its next record. */
  private static final class Run implements Comparable<Run> {
    private final Source rest;
    private byte @Nullable [] head;

    Run(Source records) throws IOException {
      rest = records;
      head = records.next();
    }

    @Override
    public int compareTo(Run other) {
      return Arrays.compareUnsigned(head, other.head);
    }
  }

  private static Source merged(List<Source> runs) throws IOException {
    var heads = new PriorityQueue<Run>();
    for (var run : runs) {
      add(new Run(run), heads);
    }
    return () -> {
      var run = heads.poll();
      if (run == null) {
        return null;
      }
      var record = run.head;
      run.head = run.rest.next();
      add(run, heads);
      return record;
    };
  }

  private static void add(Run run, PriorityQueue<Run> heads) {
    if (run.head != null) {
      heads.add(run);
    }
  }
}
