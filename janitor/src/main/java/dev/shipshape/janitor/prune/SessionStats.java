package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/** Counts over all listed sessions: {@code stats} in docs/reference/janitor-status.md#a-run. */
public record SessionStats(
    int total,
    int eligible,
    Map<Verdict.Reason, Integer> kept,
    Map<State, Map<Age, Integer>> byStateAndAge) {
  /** Before the first run. */
  public static final SessionStats NONE = new SessionStats(0, 0, Map.of(), Map.of());

  /** The state of a session, simplified for counting. */
  public enum State {
    PENDING,
    RUNNING,
    COMPLETE,
    OTHER
  }

  /** The age of a session, from the same time as in {@link Policy}. */
  public enum Age {
    UNDER_1H,
    UNDER_1D,
    UNDER_7D,
    OVER_7D,
    UNKNOWN
  }

  public int count(State state, Age age) {
    return byStateAndAge.getOrDefault(state, Map.of()).getOrDefault(age, 0);
  }

  static final class Counter {
    private final Map<State, Map<Age, Integer>> byStateAndAge = new EnumMap<>(State.class);
    private final Map<Verdict.Reason, Integer> kept = new EnumMap<>(Verdict.Reason.class);
    private int total;
    private int eligible;

    void count(Session session, Verdict verdict, Instant now) {
      total++;
      byStateAndAge
          .computeIfAbsent(state(session.state()), _ -> new EnumMap<>(Age.class))
          .merge(age(session, now), 1, Integer::sum);
      switch (verdict) {
        case Verdict.Keep keep -> kept.merge(keep.reason(), 1, Integer::sum);
        case Verdict.Prune _ -> eligible++;
      }
    }

    /** Moves one session from eligible to kept as one of the newest. */
    void countAsNewest() {
      eligible--;
      kept.merge(Verdict.Reason.NEWEST, 1, Integer::sum);
    }

    SessionStats stats() {
      return new SessionStats(total, eligible, kept, byStateAndAge);
    }
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
