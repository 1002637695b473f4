package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.memory.Remembered.Forgotten;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells by log what comes and goes, and by metrics how much; only the leader counts. */
final class MemoryJournal {
  private static final Logger logger = LoggerFactory.getLogger(MemoryJournal.class);

  /** Of so many at most it is known that they were said. */
  private static final int MOST_NOT_LEARNED = 10_000;

  /** What comes of a write. */
  enum Written {
    WRITTEN,
    CONFLICT,
    FAILED
  }

  /** Why something is forgotten. */
  enum Exit {
    EXPIRED,
    PROVISIONED,
    BY_HAND,
    /** Out of the bounds, or taken out of the ConfigMap. */
    REMOVED
  }

  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final Duration keep;
  private final Counter learned;
  private final Map<Written, Counter> writes = new EnumMap<>(Written.class);
  private final Map<Exit, Counter> exits = new EnumMap<>(Exit.class);
  private final AtomicInteger unreadable = new AtomicInteger();
  private final Set<Key> notLearned = ConcurrentHashMap.newKeySet();

  MemoryJournal(BooleanSupplier leads, InstantSource clock, Duration keep, MeterRegistry registry) {
    this.leads = leads;
    this.clock = clock;
    this.keep = keep;
    this.learned =
        Counter.builder("shipshape.webhook.memory.learned")
            .description("Configurations that were newly remembered as invalid.")
            .register(registry);
    for (var result : Written.values()) {
      writes.put(
          result,
          Counter.builder("shipshape.webhook.memory.writes")
              .description("Writes of the memory's ConfigMap.")
              .tag("result", label(result))
              .register(registry));
    }
    for (var exit : Exit.values()) {
      exits.put(
          exit,
          Counter.builder("shipshape.webhook.memory.forgotten")
              .description("Configurations that are no longer remembered as invalid.")
              .tag("reason", label(exit))
              .register(registry));
    }
    Gauge.builder("shipshape.webhook.memory.unreadable", unreadable, AtomicInteger::get)
        .description("Entries of the memory's ConfigMap that cannot be read.")
        .register(registry);
    Gauge.builder("shipshape.webhook.leader", leads, of -> of.getAsBoolean() ? 1 : 0)
        .description("1 on the replica that leads, the only one that writes.")
        .register(registry);
  }

  void write(Written result) {
    count(writes.get(result));
  }

  /** Something seen that is not remembered: said once, though it is seen at each list and write. */
  void notLearned(Lesson lesson, String why) {
    if (notLearned.contains(lesson.key())) {
      return;
    }
    if (notLearned.size() < MOST_NOT_LEARNED) {
      notLearned.add(lesson.key());
    }
    notKept(lesson, why);
  }

  /** Something seen that is not remembered, or no longer, without ever having been written down. */
  void notKept(Lesson lesson, String why) {
    logger.info(
        "memory: {} {} of {} is not kept: {}",
        lesson.key().guard(),
        lesson.key().hash(),
        text(lesson.told()),
        why);
  }

  /** The first reading. */
  void begun(Book book) {
    logger.info("memory: {} records in the ConfigMap", book.records().size());
    tellUnreadable(Map.of(), book.unreadable());
  }

  /** A later reading. */
  void changed(Book before, Book after) {
    after.records().forEach((key, record) -> tell(before.records().get(key), record));
    before
        .records()
        .forEach(
            (key, record) -> {
              if (record instanceof Invalid && !after.records().containsKey(key)) {
                left(key, ageOut(record) ? Exit.EXPIRED : Exit.REMOVED, "");
              }
            });
    tellUnreadable(before.unreadable(), after.unreadable());
  }

  private void tell(@Nullable Remembered before, Remembered after) {
    switch (after) {
      case Invalid invalid when !invalid.equals(before) -> {
        logger.info(
            "memory: {} {} is {}{}: {} (uid {}) said so at {}, written by {}: {}",
            invalid.key().guard(),
            invalid.key().hash(),
            invalid.suspected() ? "suspected" : "known invalid",
            invalid.nodes().isEmpty() ? "" : " on " + text(String.join(", ", invalid.nodes())),
            text(invalid.origin().toString()),
            text(invalid.origin().uid()),
            invalid.at(),
            text(invalid.by()),
            text(invalid.reason()));
        if (leads.getAsBoolean()
            && !invalid.suspected()
            && !(before instanceof Invalid known && !known.suspected())) {
          learned.increment();
        }
      }
      case Forgotten forgotten when before instanceof Invalid ->
          left(
              after.key(),
              forgotten.byHand() ? Exit.BY_HAND : Exit.PROVISIONED,
              " by " + text(forgotten.by()));
      case Invalid ignored -> {}
      case Forgotten ignored -> {}
    }
  }

  private void left(Key key, Exit exit, String by) {
    logger.info("memory: {} {} is forgotten: {}{}", key.guard(), key.hash(), label(exit), by);
    if (leads.getAsBoolean()) {
      count(exits.get(exit));
    }
  }

  private boolean ageOut(Remembered record) {
    return !record.at().isAfter(clock.instant().minus(keep));
  }

  private void tellUnreadable(Map<String, String> before, Map<String, String> after) {
    unreadable.set(after.size());
    if (!after.equals(before) && !after.isEmpty()) {
      logger.warn(
          "memory: {} entries of ConfigMap {} cannot be read and count for nothing; the others do."
              + " Repair or delete them: {}",
          after.size(),
          MemoryStore.NAME,
          text(String.join(", ", new TreeMap<>(after).keySet())));
    }
  }

  private static void count(@Nullable Counter counter) {
    if (counter != null) {
      counter.increment();
    }
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** What others wrote must not make lines of its own in the log. */
  private static String text(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
