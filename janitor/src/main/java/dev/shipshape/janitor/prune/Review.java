package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Plan.Entry;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks at a saved plan's sessions as they are now. A file can be old, or edited: it proves nothing
 * by itself, so each of its sessions must still be there, exactly as it was, and must be chosen by
 * the rules today; and what stops a run or keeps the newest does so here too. Only how many go at
 * once the plan itself says.
 */
final class Review implements Sessions.Listener {
  private final Rules rules;
  private final List<Entry> saved;
  private final Set<String> names = new HashSet<>();
  private final Map<String, Session> found = new HashMap<>();
  private final Selection selection;
  private Instant now = Instant.MIN;

  Review(Rules rules, Limits limits, InstantSource clock, List<Entry> saved) {
    this.rules = rules;
    this.saved = saved;
    this.selection = new Selection(rules, limits, clock);
    saved.forEach(entry -> names.add(entry.session().reference()));
  }

  @Override
  public void begin(Instant server) {
    now = server;
    selection.begin(server);
  }

  @Override
  public void each(Session session) {
    selection.each(session);
    if (names.contains(session.reference())) {
      found.put(session.reference(), session);
    }
  }

  /** What has become of the plan, once all sessions have come. */
  PlanReview result() {
    var today = selection.plan();
    var newest = selection.newest();
    var standing = new ArrayList<Entry>();
    var settled = new ArrayList<PlanReview.Settled>();
    for (var entry : saved) {
      settled(entry, newest)
          .ifPresentOrElse(
              outcome -> settled.add(new PlanReview.Settled(entry, outcome)),
              () -> standing.add(entry));
    }
    return new PlanReview(now, today.census(), standing, settled, today.stop());
  }

  /** What became of an entry that needs no request; empty where it is to be deleted. */
  private Optional<Outcome> settled(Entry saved, Set<Session> newest) {
    var session = found.get(saved.session().reference());
    if (session == null) {
      return Optional.of(new Outcome.AlreadyGone());
    }
    if (!session.isSameAs(saved.session())) {
      return Optional.of(new Outcome.Replaced());
    }
    if (newest.contains(session)) {
      return Optional.of(new Outcome.Changed(Verdict.Reason.NEWEST));
    }
    return switch (rules.judge(session, now)) {
      case Verdict.Keep keep -> Optional.of(new Outcome.Changed(keep.reason()));
      case Verdict.Prune _ ->
          session.equals(saved.session()) ? Optional.empty() : Optional.of(new Outcome.Altered());
    };
  }
}
