package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What an image's programs and libraries want of other libraries (ELF, 64 bits, little-endian: the
 * System V ABI's dynamic section). The loader says so only once one is asked for, and what can do
 * without it, such as TLS, then goes on more slowly and in silence.
 */
final class SharedLibraries {
  private static final int MAGIC = 0x464C457F;
  private static final int LOADED = 1;
  private static final int DYNAMIC = 2;
  private static final int NEEDED = 1;
  private static final int TEXTS = 5;

  private SharedLibraries() {}

  /** The libraries that are wanted and not there, each with who wants it. */
  static List<String> missing(Collection<Item> image) throws IOException {
    var there = image.stream().map(item -> name(item.path())).collect(Collectors.toSet());
    var missing = new TreeSet<String>();
    for (var item : image) {
      for (var needed : needed(item.content())) {
        if (!there.contains(needed)) {
          missing.add("%s, which %s needs".formatted(needed, item.path()));
        }
      }
    }
    return List.copyOf(missing);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The libraries that a file names as needed; none where it is no such file. */
  static List<String> needed(byte[] file) {
    var elf = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    if (file.length < 64 || elf.getInt(0) != MAGIC || file[4] != 2 || file[5] != 1) {
      return List.of();
    }
    var segments = segments(elf);
    var names = new ArrayList<String>();
    for (var dynamic : segments) {
      if (dynamic.type() == DYNAMIC) {
        var texts = place(segments, value(elf, dynamic, TEXTS).getFirst());
        for (var at : value(elf, dynamic, NEEDED)) {
          names.add(text(file, Math.toIntExact(texts + at)));
        }
      }
    }
    return names;
  }

  private record Segment(int type, long offset, long address, long size) {}

  private static List<Segment> segments(ByteBuffer elf) {
    var table = Math.toIntExact(elf.getLong(32));
    var size = elf.getShort(54);
    var segments = new ArrayList<Segment>();
    for (var number = 0; number < elf.getShort(56); number++) {
      var at = table + number * size;
      segments.add(
          new Segment(
              elf.getInt(at), elf.getLong(at + 8), elf.getLong(at + 16), elf.getLong(at + 32)));
    }
    return segments;
  }

  /** The values of one tag in the dynamic section, in their order. */
  private static List<Long> value(ByteBuffer elf, Segment dynamic, long tag) {
    var values = new ArrayList<Long>();
    for (var at = 0L; at < dynamic.size(); at += 16) {
      var entry = Math.toIntExact(dynamic.offset() + at);
      if (elf.getLong(entry) == tag) {
        values.add(elf.getLong(entry + 8));
      }
    }
    return values;
  }

  /** Where in the file that is which is loaded at an address. */
  private static long place(List<Segment> segments, long address) {
    return segments.stream()
        .filter(segment -> segment.type() == LOADED)
        .filter(segment -> address >= segment.address())
        .filter(segment -> address < segment.address() + segment.size())
        .mapToLong(segment -> address - segment.address() + segment.offset())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no segment holds " + address));
  }

  private static String text(byte[] file, int from) {
    var end = from;
    while (file[end] != 0) {
      end++;
    }
    return new String(file, from, end - from, StandardCharsets.UTF_8);
  }
}
