package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts over all listed sessions. */
public final class SessionStats {

  /** The state of a session as far as counts tell it apart. */
  public enum State {
    PENDING,
    RUNNING,
    COMPLETE,
    OTHER
  }

  /** How old a session is, by the same time as the rules. */
  public enum Age {
    UNDER_1H,
    UNDER_1D,
    UNDER_7D,
    OVER_7D,
    UNKNOWN
  }

  /** One cell of the count. */
  public record Cell(State state, Age age) implements Comparable<Cell> {
    @Override
    public int compareTo(Cell other) {
      var byState = state.compareTo(other.state);
      return byState != 0 ? byState : age.compareTo(other.age);
    }
  }

  private final Map<Cell, Integer> cells = new TreeMap<>();
  private final Map<Verdict.Reason, Integer> kept = new EnumMap<>(Verdict.Reason.class);
  private int total;

  void count(Session session, Verdict verdict, Instant now) {
    total++;
    cells.merge(new Cell(state(session.state()), age(session, now)), 1, Integer::sum);
    if (verdict instanceof Verdict.Keep keep) {
      countKept(keep.reason());
    }
  }

  void countKept(Verdict.Reason reason) {
    kept.merge(reason, 1, Integer::sum);
  }

  /** All sessions listed. */
  public int total() {
    return total;
  }

  /** How many by state and age. */
  public Map<Cell, Integer> cells() {
    return Map.copyOf(cells);
  }

  /** How many stay, by reason. */
  public Map<Verdict.Reason, Integer> kept() {
    return new EnumMap<>(kept);
  }

  private static State state(String state) {
    return switch (state) {
      case "pending" -> State.PENDING;
      case "running" -> State.RUNNING;
      case "complete" -> State.COMPLETE;
      default -> State.OTHER;
    };
  }

  private static Age age(Session session, Instant now) {
    var since = session.times().since().orElse(null);
    if (since == null) {
      return Age.UNKNOWN;
    }
    var age = Duration.between(since, now);
    if (age.compareTo(Duration.ofHours(1)) < 0) {
      return Age.UNDER_1H;
    }
    if (age.compareTo(Duration.ofDays(1)) < 0) {
      return Age.UNDER_1D;
    }
    return age.compareTo(Duration.ofDays(7)) < 0 ? Age.UNDER_7D : Age.OVER_7D;
  }
}
