package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one run would delete. Report and deed are made from the same plan.
 *
 * @param store that the sessions are in
 * @param at the server's time that ages were reckoned by
 * @param entries oldest first
 * @param stop why this plan may not be carried out at all; its entries are empty then
 */
public record Plan(
    SessionStore store, Instant at, List<Entry> entries, SessionStats stats, Optional<Stop> stop) {

  /** One session that may go, with its age by the server's clock. */
  public record Entry(Session session, Duration age) {}

  /**
   * Why a whole run is stopped.
   *
   * @param message one line for people
   */
  public record Stop(BlockReason reason, String message) {}

  public Plan {
    entries = List.copyOf(entries);
  }

  List<Session> sessions() {
    return entries.stream().map(Entry::session).toList();
  }
}
