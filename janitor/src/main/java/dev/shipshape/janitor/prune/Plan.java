package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one run would delete. A report-only run and a deletion use the same plan.
 *
 * @param store holds the sessions
 * @param at the server's time from which ages were computed
 * @param entries oldest first; empty if stopped
 * @param stop why this plan must not be executed
 */
public record Plan(
    SessionStore store, Instant at, List<Entry> entries, SessionStats stats, Optional<Stop> stop) {

  /** A session to delete, with its age by the server's clock. */
  public record Entry(Session session, Duration age) {}

  /** Why a whole run is stopped, in one line. */
  public record Stop(BlockReason reason, String message) {}

  public Plan {
    entries = List.copyOf(entries);
  }

  List<Session> sessions() {
    return entries.stream().map(Entry::session).toList();
  }
}
