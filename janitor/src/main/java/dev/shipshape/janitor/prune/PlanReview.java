package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Plan.Entry;
import dev.shipshape.janitor.session.DeleteResult;
import java.util.List;

/**
 * What a saved plan's sessions have become.
 *
 * @param plan of those that would go, in the saved plan's order
 * @param settled those that need no request, each with what became of it
 */
public record PlanReview(Plan plan, List<Settled> settled) {

  /** An entry that needs no request. */
  public record Settled(Entry entry, DeleteResult result) {}

  public PlanReview {
    settled = List.copyOf(settled);
  }
}
