package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one run would delete. Report and deed are made from the same plan.
 *
 * @param store that the sessions are in
 * @param at the server's time that ages were reckoned by
 * @param entries oldest first
 * @param eligible how many the rules chose, before the limit on one run cut the list
 * @param stop why this plan may not be carried out at all; its entries are empty then
 */
public record Plan(
    SessionStore store,
    Instant at,
    List<Entry> entries,
    int eligible,
    SessionStats stats,
    Optional<Stop> stop) {

  /** One session that may go, and by which rule. */
  public record Entry(Session session, Verdict.Prune verdict) {}

  /** Why a whole run is stopped. */
  public sealed interface Stop {
    /** One line for people. */
    String message();

    /** The server's clock and ours disagree, so no age can be trusted. */
    record ClocksApart(Instant server, Instant own) implements Stop {
      @Override
      public String message() {
        return "the API server's clock says %s and this machine's %s: no age can be trusted; set the clocks right"
            .formatted(server, own);
      }
    }

    /** More would go than a run may ever take. */
    record TooMany(int eligible, int total, int maxPercent) implements Stop {
      @Override
      public String message() {
        return "the rules choose %d of %d sessions, more than %d %%: check the rules, or raise prune.maxPercent"
            .formatted(eligible, total, maxPercent);
      }
    }
  }

  public Plan {
    entries = List.copyOf(entries);
  }
}
