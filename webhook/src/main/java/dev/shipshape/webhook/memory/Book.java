package dev.shipshape.webhook.memory;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that is remembered.
 *
 * @param unreadable what the ConfigMap holds besides, as it is: somebody's mistake is not deleted
 */
record Book(Map<Key, Remembered> records, Map<String, String> unreadable) {
  static final Book EMPTY = new Book(Map.of(), Map.of());

  /** The API server takes 1 MiB at most, metadata and all. */
  static final int MOST_BYTES = 900 * 1024;

  Book {
    records = Map.copyOf(records);
    unreadable = Map.copyOf(unreadable);
  }

  /** What is remembered after these lessons. */
  Book taught(Collection<Lesson> lessons) {
    var next = new HashMap<>(records);
    for (var lesson : lessons) {
      lesson.after(next.get(lesson.key())).ifPresent(record -> next.put(lesson.key(), record));
    }
    return new Book(next, unreadable);
  }

  /**
   * The newest that the limits leave room for, so many of each sort. What a person said has no age,
   * and its room first: it is little.
   *
   * @param now by the API server's clock
   */
  Book within(MemoryLimits limits, Instant now) {
    var oldest = now.minus(limits.keep());
    var kept = new LinkedHashMap<Key, Remembered>();
    var counts = new EnumMap<Sort, Integer>(Sort.class);
    var bytes = unreadable.entrySet().stream().mapToLong(Book::bytes).sum();
    for (var record : inOrder()) {
      var count = counts.merge(Sort.of(record), 1, Integer::sum);
      bytes += bytes(Map.entry(record.key().toString(), BookText.write(record)));
      if (count <= limits.most() && bytes <= MOST_BYTES && !isOld(record, oldest)) {
        kept.put(record.key(), record);
      }
    }
    return new Book(kept, unreadable);
  }

  /** Whether the limits would leave one of them out by their age. */
  boolean holdsOlderThan(Instant oldest) {
    return records.values().stream().anyMatch(record -> isOld(record, oldest));
  }

  private static boolean isOld(Remembered record, Instant oldest) {
    return Sort.of(record) != Sort.BY_HAND && !record.at().isAfter(oldest);
  }

  private enum Sort {
    BY_HAND,
    INVALID,
    PROVISIONED;

    static Sort of(Remembered record) {
      return switch (record) {
        case Remembered.Invalid ignored -> INVALID;
        case Remembered.Forgotten forgotten -> forgotten.byHand() ? BY_HAND : PROVISIONED;
      };
    }
  }

  /** What a person said, then the others, each the newest first. */
  private Iterable<Remembered> inOrder() {
    return records.values().stream()
        .sorted(
            Comparator.<Remembered, Boolean>comparing(record -> Sort.of(record) != Sort.BY_HAND)
                .thenComparing(Comparator.comparing(Remembered::at).reversed())
                .thenComparing(record -> record.key().toString()))
        .toList();
  }

  private static long bytes(Map.Entry<String, String> entry) {
    return entry.getKey().length()
        + (long) entry.getValue().getBytes(StandardCharsets.UTF_8).length;
  }
}
