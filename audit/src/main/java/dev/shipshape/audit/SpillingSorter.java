package dev.shipshape.audit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts records by their bytes, in memory that does not grow with their number: what does not fit
 * goes to temporary files as sorted runs, which are merged at the end.
 */
final class SpillingSorter implements AutoCloseable {
  /** Of one writer, before it writes a run. */
  private static final int MEMORY = 12 << 20;

  /** What an array and the reference to it take. */
  private static final int OVERHEAD = 24;

  private static final int MAX_RUNS = 200;
  private static final int BUFFER = 64 << 10;

  private final Path folder;
  private final List<FileChannel> files = new ArrayList<>();
  private final List<Iterable<byte[]>> runs = new ArrayList<>();

  /** Sorts with temporary files in a folder. They have no name there, so nothing is left behind. */
  SpillingSorter(Path folder) {
    this.folder = folder;
  }

  /** Takes records from one thread. */
  final class Writer implements AutoCloseable {
    private final List<byte[]> records = new ArrayList<>();
    private long bytes;

    void add(byte[] record) throws IOException {
      records.add(record);
      bytes += record.length + OVERHEAD;
      if (bytes > MEMORY) {
        records.sort(Arrays::compareUnsigned);
        spill(records.iterator());
        records.clear();
        bytes = 0;
      }
    }

    /** What is in memory then is merged from there. */
    @Override
    public void close() {
      records.sort(Arrays::compareUnsigned);
      synchronized (SpillingSorter.this) {
        runs.add(records);
      }
    }
  }

  Writer writer() {
    return new Writer();
  }

  /** All records in their order, once every writer is closed; one iteration at a time. */
  Iterator<byte[]> sorted() throws IOException {
    while (runs.size() > MAX_RUNS) {
      var first = new ArrayList<>(runs.subList(0, MAX_RUNS));
      runs.subList(0, MAX_RUNS).clear();
      spill(new Merge(first));
    }
    return new Merge(runs);
  }

  private void spill(Iterator<byte[]> sorted) throws IOException {
    try {
      var file = open();
      var out =
          new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file), BUFFER));
      while (sorted.hasNext()) {
        var record = sorted.next();
        out.writeInt(record.length);
        out.write(record);
      }
      out.flush();
      synchronized (this) {
        files.add(file);
        runs.add(() -> new Run(file));
      }
    } catch (IOException e) {
      throw new TemporaryFileFailure(folder, e);
    }
  }

  private FileChannel open() throws IOException {
    var path = Files.createTempFile(folder, "shipshape-audit", ".run");
    var file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Files.delete(path);
    return file;
  }

  @Override
  public void close() throws IOException {
    for (var file : files) {
      file.close();
    }
  }

  /** A sorted run in a file. */
  private static final class Run implements Iterator<byte[]> {
    private final DataInputStream in;
    private byte @Nullable [] next;
    private boolean begun;

    Run(FileChannel file) {
      try {
        file.position(0);
      } catch (IOException e) {
        throw new UncheckedIOException("could not read a temporary file", e);
      }
      in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(file), BUFFER));
    }

    @Override
    public boolean hasNext() {
      if (!begun) {
        begun = true;
        next = read();
      }
      return next != null;
    }

    @Override
    public byte[] next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException();
      }
      var current = next;
      next = read();
      return current;
    }

    private byte @Nullable [] read() {
      try {
        var record = new byte[in.readInt()];
        in.readFully(record);
        return record;
      } catch (EOFException e) {
        return null;
      } catch (IOException e) {
        throw new UncheckedIOException("could not read a temporary file", e);
      }
    }
  }

  /** Several sorted runs as one. */
  private static final class Merge implements Iterator<byte[]> {
    private final PriorityQueue<Head> heads = new PriorityQueue<>();

    Merge(List<Iterable<byte[]>> runs) {
      runs.forEach(run -> advance(run.iterator()));
    }

    @Override
    public boolean hasNext() {
      return !heads.isEmpty();
    }

    @Override
    public byte[] next() {
      var head = heads.remove();
      advance(head.rest);
      return head.record;
    }

    private void advance(Iterator<byte[]> run) {
      if (run.hasNext()) {
        heads.add(new Head(run.next(), run));
      }
    }
  }

  /** A run by its next record. */
  private static final class Head implements Comparable<Head> {
    private final byte[] record;
    private final Iterator<byte[]> rest;

    Head(byte[] record, Iterator<byte[]> rest) {
      this.record = record;
      this.rest = rest;
    }

    @Override
    public int compareTo(Head other) {
      return Arrays.compareUnsigned(record, other.record);
    }
  }
}
