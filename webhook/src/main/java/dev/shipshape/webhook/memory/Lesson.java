package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.memory.Remembered.Forgotten;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Something that changes what is remembered. Applied twice it changes nothing more. */
sealed interface Lesson {
  /** More than these would make one entry too large; the configuration stays refused on them. */
  int MOST_NODES = 200;

  Key key();

  /** When it happened, by the API server's clock, in whole seconds. */
  Instant at();

  /** What happened and when, for people. */
  String told();

  /**
   * What is remembered from now on; empty where that is what was remembered before.
   *
   * @param before null where nothing was
   */
  Optional<Remembered> after(@Nullable Remembered before);

  /**
   * A status said "invalid".
   *
   * @param earliest when that may have been said first
   */
  record Failed(Invalid entry, Instant earliest) implements Lesson {
    @Override
    public Key key() {
      return entry.key();
    }

    @Override
    public Instant at() {
      return entry.at();
    }

    @Override
    public String told() {
      return entry.origin() + ", which said invalid at " + at();
    }

    /** What a person had forgotten is not learned from what may have been said before. */
    @Override
    public Optional<Remembered> after(@Nullable Remembered before) {
      return switch (before) {
        case null -> Optional.of(entry);
        case Forgotten forgotten ->
            (forgotten.byHand() ? earliest : at()).isAfter(forgotten.at())
                ? Optional.of(entry)
                : Optional.empty();
        case Invalid known -> Optional.of(withThis(known)).filter(next -> !next.equals(known));
      };
    }

    private Remembered withThis(Invalid known) {
      if (known.suspected() != entry.suspected()) {
        return known.suspected() ? entry.with(entry.failures(), known.since()) : known;
      }
      var failures = new TreeMap<>(known.failures());
      entry
          .failures()
          .forEach(
              (node, at) -> {
                if (failures.containsKey(node) || failures.size() < MOST_NODES) {
                  failures.merge(node, at, (one, other) -> one.isAfter(other) ? one : other);
                }
              });
      return known.with(failures, known.since());
    }
  }

  /**
   * A status said "invalid" again, of what was known to be so: nothing but the time is new.
   *
   * @param as it would be learned where it is forgotten meanwhile
   */
  record FailedAgain(Failed as) implements Lesson {
    @Override
    public Key key() {
      return as.key();
    }

    @Override
    public Instant at() {
      return as.at();
    }

    @Override
    public String told() {
      return as.told();
    }

    /** Nothing where it was taken out of the ConfigMap: that is to be forgotten. */
    @Override
    public Optional<Remembered> after(@Nullable Remembered before) {
      return before == null ? Optional.empty() : as.after(before);
    }
  }

  /**
   * A status said "provisioned". What failed on a node is forgotten where it works on that node
   * later: elsewhere it may work for what is different there.
   *
   * @param node where; {@link Invalid#ANYWHERE} for all nodes
   * @param object that said so
   */
  record Worked(Key key, String node, String object, Instant at) implements Lesson {
    @Override
    public String told() {
      return object + ", which said provisioned at " + at;
    }

    @Override
    public Optional<Remembered> after(@Nullable Remembered before) {
      if (!(before instanceof Invalid known)) {
        return Optional.empty();
      }
      var left = new TreeMap<>(known.failures());
      left.entrySet()
          .removeIf(
              failure ->
                  (node.equals(Invalid.ANYWHERE) || node.equals(failure.getKey()))
                      && at.isAfter(failure.getValue()));
      if (left.size() == known.failures().size()) {
        return Optional.empty();
      }
      return Optional.of(
          left.isEmpty()
              ? new Forgotten(key, at, known.since(), false, object)
              : known.with(left, known.since()));
    }
  }

  /**
   * A person said that it does not count.
   *
   * @param by who
   */
  record Pardoned(Key key, Instant at, String by) implements Lesson {
    @Override
    public String told() {
      return by + ", who had it forgotten at " + at;
    }

    @Override
    public Optional<Remembered> after(@Nullable Remembered before) {
      return before instanceof Forgotten known && known.byHand() && !at.isAfter(known.at())
          ? Optional.empty()
          : Optional.of(new Forgotten(key, at, before == null ? at : before.since(), true, by));
    }
  }
}
