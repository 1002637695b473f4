package dev.shipshape.audit;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.ArchiveException;
import org.apache.commons.compress.archivers.ArchiveInputStream;
import org.apache.commons.compress.archivers.ArchiveStreamFactory;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/** Unpacks compressed files and archives, also one within another. Their first bytes tell which. */
final class Unpacking {
  private static final Set<String> ARCHIVES =
      Set.of(ArchiveStreamFactory.TAR, ArchiveStreamFactory.ZIP);
  private static final Set<String> PACKED =
      Set.of(
          CompressorStreamFactory.GZIP,
          CompressorStreamFactory.BZIP2,
          CompressorStreamFactory.XZ,
          CompressorStreamFactory.ZSTANDARD);

  private static final int MAX_DEPTH = 4;
  private static final int BUFFER = 64 << 10;

  /** The memory limit of a decompressor, in KiB: a little more than xz's highest preset needs. */
  private static final int MEMORY = 66 << 10;

  private Unpacking() {}

  /** Passes on each file in the stream, or the stream itself. A fault shows when it is read. */
  static void read(String name, BufferedInputStream in, LogFile.Contents contents)
      throws IOException {
    read(name, in, 0, contents);
  }

  private static void read(
      String name, BufferedInputStream in, int depth, LogFile.Contents contents)
      throws IOException {
    String kind;
    try {
      kind = depth < MAX_DEPTH ? kind(in) : "";
    } catch (IOException e) {
      contents.accept(name, failing(e));
      return;
    }
    if (PACKED.contains(kind)) {
      read(name, buffered(unpacked(kind, in)), depth + 1, contents);
    } else if (ARCHIVES.contains(kind)) {
      readEntries(name, kind, in, depth + 1, contents);
    } else {
      contents.accept(name, in);
    }
  }

  private static InputStream unpacked(String kind, InputStream in) {
    try {
      return switch (kind) {
        // Returns all that it has before it reports a fault.
        case CompressorStreamFactory.GZIP -> new Gzip(in);
        case CompressorStreamFactory.ZSTANDARD -> new ZstdInputStream(in);
        default -> new CompressorStreamFactory(true, MEMORY).createCompressorInputStream(kind, in);
      };
    } catch (IOException e) {
      return failing(e);
    }
  }

  /**
   * Reports other bytes behind the data, which the JDK passes over; but zeros, and a few bytes of a
   * header that is cut.
   */
  private static final class Gzip extends GZIPInputStream {
    private static final int TRAILER = 8;

    Gzip(InputStream in) throws IOException {
      super(in, BUFFER);
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      var count = super.read(bytes, from, length);
      if (count < 0 && (hasMore(rest()) || hasMore(in))) {
        throw new IOException("what follows the compressed data is not gzip");
      }
      return count;
    }

    private InputStream rest() {
      var length = Math.max(0, inf.getRemaining() - TRAILER);
      return new ByteArrayInputStream(buf, len - length, length);
    }
  }

  private static void readEntries(
      String name, String kind, InputStream in, int depth, LogFile.Contents contents)
      throws IOException {
    ArchiveInputStream<?> archive = new ArchiveStreamFactory().createArchiveInputStream(kind, in);
    while (true) {
      ArchiveEntry entry;
      try {
        entry = archive.getNextEntry();
      } catch (IOException e) {
        contents.accept(name, failing(e));
        return;
      }
      if (entry == null) {
        reportRest(name, in, contents);
        return;
      }
      if (!entry.isDirectory()) {
        var within = name + ":" + entry.getName();
        read(within, buffered(archive), depth, contents);
      }
    }
  }

  private static void reportRest(String name, InputStream in, LogFile.Contents contents)
      throws IOException {
    try {
      if (hasMore(in)) {
        contents.accept(name, failing(new IOException("more follows the end of the archive")));
      }
    } catch (IOException e) {
      contents.accept(name, failing(e));
    }
  }

  /** Checks for bytes other than zeros, which fill up blocks. */
  private static boolean hasMore(InputStream in) throws IOException {
    var bytes = new byte[BUFFER];
    for (var count = in.read(bytes); count >= 0; count = in.read(bytes)) {
      for (var at = 0; at < count; at++) {
        if (bytes[at] != 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the bytes that are there before it reads more, which may fail. */
  private static BufferedInputStream buffered(InputStream in) {
    return new BufferedInputStream(
        new FilterInputStream(in) {
          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            try {
              return super.read(bytes, from, length);
            } catch (RuntimeException e) {
              // The libraries' own for malformed data.
              throw new IOException(e.getMessage(), e);
            }
          }

          @Override
          public int available() {
            return 0;
          }
        },
        BUFFER);
  }

  private static InputStream failing(IOException failure) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw failure;
      }

      @Override
      public int read(byte[] bytes, int from, int length) throws IOException {
        throw failure;
      }
    };
  }

  /** Returns the format; empty if it is not packed. */
  private static String kind(BufferedInputStream in) throws IOException {
    in.mark(1);
    var first = in.read();
    in.reset();
    if (first == '{') {
      // Nearly all logs. Loading the library takes longer than reading a small log.
      return "";
    }
    try {
      var packed = CompressorStreamFactory.detect(in);
      if (PACKED.contains(packed)) {
        return packed;
      }
    } catch (CompressorException e) {
      // Not packed.
    }
    try {
      var archive = ArchiveStreamFactory.detect(in);
      return ARCHIVES.contains(archive) ? archive : "";
    } catch (ArchiveException e) {
      return "";
    }
  }
}
