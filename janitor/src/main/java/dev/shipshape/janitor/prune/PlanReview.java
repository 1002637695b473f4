package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Plan.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a saved plan's sessions have become.
 *
 * @param at the server's time now
 * @param census over all sessions that there are now
 * @param standing those that would go, in the plan's order
 * @param settled those that need no request, each with what became of it
 * @param stop why the plan may not be carried out now at all
 */
public record PlanReview(
    Instant at,
    Census census,
    List<Entry> standing,
    List<Settled> settled,
    Optional<Plan.Stop> stop) {

  /** An entry that needs no request. */
  public record Settled(Entry entry, Outcome outcome) {}

  public PlanReview {
    standing = List.copyOf(standing);
    settled = List.copyOf(settled);
  }

  /** The plan of those that still stand. */
  Plan plan() {
    return new Plan(at, stop.isEmpty() ? standing : List.of(), standing.size(), census, stop);
  }
}
