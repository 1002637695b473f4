package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.SessionStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one run would delete. A report-only run and a deletion use the same plan.
 *
 * @param store holds the sessions
 * @param at the server's time from which ages were computed
 * @param deletions oldest first, without results; empty if stopped
 * @param stop why this plan must not be executed
 */
public record Plan(
    SessionStore store,
    Instant at,
    List<Deletion> deletions,
    SessionStats stats,
    Optional<Stop> stop) {

  /** Why a whole run is stopped, in one line. */
  public record Stop(BlockReason reason, String message) {}

  public Plan {
    deletions = List.copyOf(deletions);
  }
}
