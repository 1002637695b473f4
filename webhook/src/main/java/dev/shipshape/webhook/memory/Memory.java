package dev.shipshape.webhook.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.Standing;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.Onlooker;
import dev.shipshape.webhook.memory.Remembered.Forgotten;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import dev.shipshape.webhook.memory.Remembered.Origin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What this replica remembers: what the ConfigMap says, and what it has learned from its own watch
 * since. The latter counts at once, and until the leader has written it down.
 */
public final class Memory implements Onlooker, Recollection {
  /** Lessons that nobody writes down must not fill the process's memory. */
  private static final int MOST_LESSONS = 1000;

  /**
   * What another replica has not written down for so long it has its reasons for, or has never
   * seen; and nobody could have it forgotten.
   */
  private static final Duration UNWRITTEN = Duration.ofMinutes(10);

  private final MemoryLimits limits;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final MemoryJournal journal;

  /** With when they were learned, in nanoseconds that only run forward. */
  private final Map<Lesson, Long> lessons = new LinkedHashMap<>();

  private final Map<Guard, KnownInvalidIndex> indexes = new LinkedHashMap<>();
  private Book written = Book.EMPTY;
  private volatile long version = -1;
  private volatile Map<Key, Remembered> known = Map.of();

  /**
   * Remembers nothing yet.
   *
   * @param clock the API server's, which all times here are of: this machine's may be set wrong.
   *     1970 while it is not known, when nothing is too old
   * @param nanoTime by which it is told how long something has waited here
   */
  Memory(MemoryLimits limits, InstantSource clock, LongSupplier nanoTime, MemoryJournal journal) {
    this.limits = limits;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.journal = journal;
  }

  @Override
  public Optional<Invalid> ofInvalid(Guard guard, ConfigHash hash) {
    return known.get(new Key(guard.name(), hash)) instanceof Invalid invalid
        ? Optional.of(invalid)
        : Optional.empty();
  }

  @Override
  public boolean refusedBefore(Guard guard, IndexedObject found) {
    if (!found.isInvalidRecord()) {
      return false;
    }
    var at = Instant.ofEpochSecond(found.at());
    return switch (known.get(new Key(guard.name(), found.hash()))) {
      case null -> false;
      case Invalid invalid ->
          !at.isBefore(invalid.since()) && !invalid.nodes().contains(found.role().node());
      case Forgotten forgotten -> !at.isBefore(forgotten.since()) && !at.isAfter(forgotten.at());
    };
  }

  @Override
  public Optional<Instant> pardoned(Guard guard, ConfigHash hash) {
    return known.get(new Key(guard.name(), hash)) instanceof Forgotten forgotten
            && forgotten.byHand()
        ? Optional.of(forgotten.at())
        : Optional.empty();
  }

  /** Whether what the ConfigMap says, or that there is none, has been taken at least once. */
  boolean hasRead() {
    return version >= 0;
  }

  /** How many configurations are remembered as invalid. */
  long size() {
    return known.values().stream()
        .filter(record -> record instanceof Invalid invalid && !invalid.suspected())
        .count();
  }

  @Override
  public synchronized void begins(Guard guard, KnownInvalidIndex index) {
    indexes.put(guard, index);
  }

  /** Learns from the status alone: records are written for refusals of ours too. */
  @Override
  public void seen(Guard guard, JsonNode object, IndexedObject seen) {
    judged(guard, seen, object.path("metadata").path("uid").asText());
  }

  @Override
  public void judged(Guard guard, IndexedObject seen, String uid) {
    if (seen.says(Standing.INVALID) || seen.suspected()) {
      var key = key(guard, seen);
      learn(
          new Lesson.Failed(
              entry(key, guard, uid, seen, failedAt(key, seen)),
              Instant.ofEpochSecond(seen.earliest())));
    } else if (seen.says(Standing.PROVISIONED)) {
      learn(worked(guard, seen));
    }
  }

  private Lesson.Worked worked(Guard guard, IndexedObject seen) {
    var node = guard.namesNodes() ? seen.role().node() : Invalid.ANYWHERE;
    return new Lesson.Worked(key(guard, seen), node, seen.key(), at(seen));
  }

  private static Key key(Guard guard, IndexedObject seen) {
    return new Key(guard.name(), seen.hash());
  }

  /** A time that nobody tells is not later than the one that is known. */
  private Instant failedAt(Key key, IndexedObject seen) {
    return seen.at() == 0 && known.get(key) instanceof Invalid failed ? failed.at() : at(seen);
  }

  private Instant at(IndexedObject seen) {
    return seen.at() > 0 ? Instant.ofEpochSecond(seen.at()) : clock.instant();
  }

  /** An object that is gone leaves what was learned from it. */
  @Override
  public void gone(Guard guard, String key) {}

  private static Invalid entry(Key key, Guard guard, String uid, IndexedObject seen, Instant at) {
    var story = seen.story();
    // An object that is not named after its node, as a revision is not, may tell it or not.
    var node = guard.namesNodes() ? seen.role().node() : story.node();
    var why = story.why().isEmpty() ? String.valueOf(guard.signs().invalidWhen()) : story.why();
    return new Invalid(
        key,
        new Origin(guard.resource().kind(), seen.namespace(), seen.name(), uid),
        new TreeMap<>(Map.of(node, at)),
        at,
        story.recordedBy(),
        why,
        seen.suspected(),
        seen.holdsSecrets());
  }

  private synchronized void learn(Lesson lesson) {
    var before = known.get(lesson.key());
    if (isOnOneNodeTooMany(lesson, before)) {
      journal.notLearned(lesson, "its entry names the most nodes that it may");
    }
    var after = lesson.after(before);
    if (after.isEmpty()) {
      return;
    }
    var now = clock.instant();
    if (!lesson.at().isAfter(now.minus(limits.keep()))) {
      journal.notLearned(lesson, "it is older than is kept, at " + now);
    } else if (isOnlyLater(before, after.get())) {
      lessons.keySet().removeIf(other -> !isNews(other) && other.key().equals(lesson.key()));
      add(lesson);
    } else if (hasRoomFor(lesson)) {
      add(lesson);
    }
  }

  private static boolean isOnOneNodeTooMany(Lesson lesson, @Nullable Remembered before) {
    return lesson instanceof Lesson.Failed(var failed, var ignored)
        && before instanceof Invalid known
        && known.failures().size() >= Lesson.MOST_NODES
        && !known.failures().keySet().containsAll(failed.failures().keySet());
  }

  private void add(Lesson lesson) {
    lessons.put(lesson, nanoTime.getAsLong());
    rebuild();
  }

  private boolean hasRoomFor(Lesson lesson) {
    var news = lessons.keySet().stream().filter(Memory::isNews).toList();
    if (news.size() < MOST_LESSONS) {
      return true;
    }
    var why = news.size() + " newer ones wait to be written";
    var oldest = Collections.min(news, Comparator.comparing(Lesson::at));
    if (!lesson.at().isAfter(oldest.at())) {
      journal.notLearned(lesson, why);
      return false;
    }
    letGo(oldest, why);
    return true;
  }

  private static boolean isNews(Lesson lesson) {
    return !(lesson instanceof Lesson.FailedAgain);
  }

  /** Whether it is worth a write: a status that is written again and again is none. */
  synchronized boolean isToBeWritten() {
    return lessons.keySet().stream()
        .map(Lesson::key)
        .anyMatch(key -> !isHardlyLater(written.records().get(key), known.get(key)));
  }

  /** What is not written down yet. */
  synchronized List<Lesson> lessons() {
    return List.copyOf(lessons.keySet());
  }

  /** Takes what the ConfigMap says now; older than what was taken already counts for nothing. */
  synchronized void read(Book book, long readVersion) {
    if (readVersion >= version) {
      readAnew(book, readVersion);
    }
  }

  /**
   * Takes what a list says, whatever was taken already: after etcd was restored the versions begin
   * earlier, and what is gone while nobody watched has none.
   */
  synchronized void readAnew(Book book, long readVersion) {
    if (version < 0) {
      journal.begun(book);
    } else {
      journal.changed(written, book);
    }
    var news = news(book);
    written = book;
    rebuild();
    version = readVersion;
    if (!news.isEmpty()) {
      learnWhatWorked(news);
    }
  }

  /** Which configurations failed, or failed on other nodes, without being known to here. */
  private Set<Key> news(Book book) {
    return book.records().values().stream()
        .filter(Invalid.class::isInstance)
        .map(Invalid.class::cast)
        .filter(
            failed ->
                !(known.get(failed.key()) instanceof Invalid heard
                    && heard.failures().keySet().containsAll(failed.failures().keySet())))
        .map(Invalid::key)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * What works was of no interest when it was seen, if its failure was not remembered here then: as
   * after a start whose list came before the ConfigMap did.
   */
  private void learnWhatWorked(Set<Key> failed) {
    indexes.forEach(
        (guard, index) ->
            index
                .objects()
                .filter(seen -> seen.says(Standing.PROVISIONED))
                .filter(seen -> failed.contains(key(guard, seen)))
                .forEach(seen -> learn(worked(guard, seen))));
  }

  /** These are written down, as far as the limits let them. */
  synchronized void settled(List<Lesson> done) {
    done.stream()
        .filter(lesson -> !written.records().containsKey(lesson.key()))
        .forEach(lesson -> journal.notKept(lesson, "the limits leave it out"));
    lessons.keySet().removeAll(done);
    rebuild();
  }

  /**
   * Lets go of what the limits leave out, which the replica that writes lets go of too, and, where
   * this is another one, of what has waited too long to be written.
   */
  synchronized void tidy(boolean writes) {
    if (lessons.isEmpty()) {
      return;
    }
    var kept = written.taught(lessons.keySet()).within(limits, clock.instant()).records();
    var now = nanoTime.getAsLong();
    for (var waiting : List.copyOf(lessons.entrySet())) {
      var lesson = waiting.getKey();
      if (!kept.containsKey(lesson.key())) {
        letGo(lesson, "the limits leave it out");
      } else if (!writes && isNews(lesson) && now - waiting.getValue() >= UNWRITTEN.toNanos()) {
        letGo(lesson, "no replica has written it down for " + UNWRITTEN.toMinutes() + " min");
      }
    }
    rebuild();
  }

  private void letGo(Lesson lesson, String why) {
    lessons.remove(lesson);
    journal.notKept(lesson, why);
  }

  /** In the order they were learned in, one upon the other, as they are written too. */
  private void rebuild() {
    var next = new HashMap<>(written.records());
    var still = new LinkedHashMap<Lesson, Long>();
    lessons.forEach(
        (lesson, since) -> {
          var before = next.get(lesson.key());
          lesson
              .after(before)
              .ifPresent(
                  after -> {
                    next.put(lesson.key(), after);
                    still.put(isOnlyLater(before, after) ? again(lesson) : lesson, since);
                  });
        });
    lessons.clear();
    lessons.putAll(still);
    known = Map.copyOf(next);
  }

  private static Lesson again(Lesson lesson) {
    return lesson instanceof Lesson.Failed failed ? new Lesson.FailedAgain(failed) : lesson;
  }

  private boolean isHardlyLater(@Nullable Remembered before, @Nullable Remembered after) {
    return before != null
        && after != null
        && isOnlyLater(before, after)
        && Duration.between(before.at(), after.at()).compareTo(limits.rewrite()) < 0;
  }

  private static boolean isOnlyLater(@Nullable Remembered before, @Nullable Remembered after) {
    return before instanceof Invalid known
        && after instanceof Invalid failed
        && known.failures().keySet().equals(failed.failures().keySet())
        && known.with(failed.failures(), failed.since()).equals(failed);
  }
}
