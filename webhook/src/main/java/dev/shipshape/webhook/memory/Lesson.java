package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.memory.Remembered.Forgotten;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
   * @param perNode whether what holds for one node says nothing about another
   */
  Optional<Remembered> after(@Nullable Remembered before, boolean perNode);

  /** A status said "invalid". */
  record Failed(Invalid entry) implements Lesson {
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

    @Override
    public Optional<Remembered> after(@Nullable Remembered before, boolean perNode) {
      return switch (before) {
        case null -> Optional.of(entry);
        case Forgotten forgotten when !entry.at().isAfter(forgotten.at()) -> Optional.empty();
        case Forgotten ignored -> Optional.of(entry);
        case Invalid known -> Optional.of(withThis(known)).filter(next -> !next.equals(known));
      };
    }

    private Remembered withThis(Invalid known) {
      var time = known.at().isAfter(entry.at()) ? known.at() : entry.at();
      return known.on(
          known.nodes().size() < MOST_NODES ? nodesWithThis(known) : known.nodes(), time);
    }

    private List<String> nodesWithThis(Invalid known) {
      return Stream.concat(known.nodes().stream(), entry.nodes().stream()).distinct().toList();
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
    public Optional<Remembered> after(@Nullable Remembered before, boolean perNode) {
      return before == null ? Optional.empty() : as.after(before, perNode);
    }
  }

  /**
   * A status said "provisioned".
   *
   * @param object that said so
   */
  record Worked(Key key, String node, String object, Instant at) implements Lesson {
    @Override
    public String told() {
      return object + ", which said provisioned at " + at;
    }

    @Override
    public Optional<Remembered> after(@Nullable Remembered before, boolean perNode) {
      if (!(before instanceof Invalid known) || !at.isAfter(known.at())) {
        return Optional.empty();
      }
      if (!perNode) {
        return Optional.of(new Forgotten(key, at, false, object));
      }
      if (!known.nodes().contains(node)) {
        return Optional.empty();
      }
      var left = known.nodes().stream().filter(other -> !other.equals(node)).toList();
      return Optional.of(
          left.isEmpty() ? new Forgotten(key, at, false, object) : known.on(left, known.at()));
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
    public Optional<Remembered> after(@Nullable Remembered before, boolean perNode) {
      return before instanceof Forgotten known && known.byHand() && !at.isAfter(known.at())
          ? Optional.empty()
          : Optional.of(new Forgotten(key, at, true, by));
    }
  }
}
