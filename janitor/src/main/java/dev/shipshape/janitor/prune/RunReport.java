package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The report of one run: see docs/reference/janitor-status.md#a-run.
 *
 * @param at the server's time, from which ages were computed; the local time if the list failed
 * @param blocked null if the run was not stopped, or failed by a bug
 * @param store holds the sessions; null if the report was read from JSON
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RunReport(
    String run,
    Instant at,
    Ending ending,
    @Nullable BlockReason blocked,
    String message,
    SessionStats stats,
    Map<String, Integer> results,
    List<Deletion> deletions,
    Duration took,
    @JsonIgnore @Nullable SessionStore store) {

  /** See docs/reference/metrics.md#ending-of-prune_runs_total. */
  public enum Ending {
    REPORTED,
    DONE,
    STOPPED,
    INTERRUPTED,
    FAILED
  }

  public RunReport {
    // JSON that is not complete must be an error, as JSON that is not valid.
    Objects.requireNonNull(run);
    Objects.requireNonNull(at);
    Objects.requireNonNull(ending);
    Objects.requireNonNull(message);
    Objects.requireNonNull(stats);
    results = Objects.requireNonNullElse(results, Map.of());
    deletions = List.copyOf(Objects.requireNonNullElse(deletions, List.of()));
  }

  /**
   * Returns the plan of a run: what it would delete.
   *
   * @param deletions oldest first, without results
   */
  static RunReport planned(SessionList list, SessionStats stats, List<Deletion> deletions) {
    return new RunReport(
        UUID.randomUUID().toString(),
        list.serverTime(),
        Ending.REPORTED,
        null,
        "",
        stats,
        count(deletions),
        deletions,
        Duration.ZERO,
        list.store());
  }

  /** Returns the plan as one that must not be executed; the message is one line. */
  RunReport stopped(BlockReason reason, String why) {
    return new RunReport(
        run, at, Ending.STOPPED, reason, why, stats, Map.of(), List.of(), took, store);
  }

  RunReport ended(Ending ending, Duration took) {
    return new RunReport(run, at, ending, blocked, message, stats, results, deletions, took, store);
  }

  /** Returns the report of a run that ended with an exception. */
  public static RunReport failed(
      Ending ending, @Nullable BlockReason reason, String message, Instant at, Duration took) {
    return new RunReport(
        "", at, ending, reason, message, SessionStats.NONE, Map.of(), List.of(), took, null);
  }

  RunReport with(List<Deletion> deletions) {
    return new RunReport(
        run, at, ending, blocked, message, stats, count(deletions), deletions, took, store);
  }

  /** Returns the report without the deletions, only their counts. */
  public RunReport summary() {
    return new RunReport(run, at, ending, blocked, message, stats, results, List.of(), took, store);
  }

  /** Checks whether the run completed and left nothing behind; not if all sessions had changed. */
  @JsonProperty("good")
  public boolean isGood() {
    return switch (ending) {
      case REPORTED -> true;
      case DONE ->
          !results.containsKey("failed")
              && !results.containsKey("remaining")
              && !results.containsKey("terminating")
              && !results.keySet().equals(Set.of("changed"));
      case STOPPED, INTERRUPTED, FAILED -> false;
    };
  }

  /** Returns the counts of the results, in one line. */
  public String outcome() {
    return results.isEmpty()
        ? stats.eligible() == 0 ? "nothing to delete" : "nothing deleted"
        : results.toString();
  }

  private static Map<String, Integer> count(List<Deletion> deletions) {
    var counts = new TreeMap<String, Integer>();
    deletions.forEach(each -> counts.merge(each.result().status().word(), 1, Integer::sum));
    return counts;
  }
}
