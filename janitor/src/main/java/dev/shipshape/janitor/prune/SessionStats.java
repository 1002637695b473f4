package dev.shipshape.janitor.prune;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Counts over all listed sessions: {@code stats} in docs/reference/janitor-status.md#a-run. */
public record SessionStats(
    int total, int eligible, Map<Verdict.Reason, Integer> kept, Map<State, Integer> byState) {
  public static final SessionStats NONE = new SessionStats(0, 0, Map.of(), Map.of());

  public SessionStats {
    Objects.requireNonNull(kept);
    Objects.requireNonNull(byState);
  }

  /** The state of a session, simplified for counting. */
  public enum State {
    PENDING,
    RUNNING,
    COMPLETE,
    OTHER
  }

  static final class Counter {
    private final Map<State, Integer> byState = new EnumMap<>(State.class);
    private final Map<Verdict.Reason, Integer> kept = new EnumMap<>(Verdict.Reason.class);
    private int total;
    private int eligible;

    void count(String state, Verdict verdict) {
      total++;
      byState.merge(state(state), 1, Integer::sum);
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
      return new SessionStats(total, eligible, kept, byState);
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
}
