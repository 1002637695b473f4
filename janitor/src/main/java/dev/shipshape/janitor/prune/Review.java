package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Plan.Entry;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Instant;
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
 * the rules today.
 */
final class Review implements Sessions.Listener {
  private final Rules rules;
  private final List<Entry> saved;
  private final Set<String> names = new HashSet<>();
  private final Map<String, Session> found = new HashMap<>();
  private final Census census = new Census();
  private Instant now = Instant.MIN;

  Review(Rules rules, List<Entry> saved) {
    this.rules = rules;
    this.saved = saved;
    saved.forEach(entry -> names.add(entry.session().reference()));
  }

  @Override
  public void begin(Instant server) {
    now = server;
  }

  @Override
  public void each(Session session) {
    census.count(session, rules.judge(session, now), now);
    if (names.contains(session.reference())) {
      found.put(session.reference(), session);
    }
  }

  /** What has become of the plan, once all sessions have come. */
  PlanReview result(Limits limits, Instant own) {
    var standing = new ArrayList<Entry>();
    var settled = new ArrayList<PlanReview.Settled>();
    for (var entry : saved) {
      settled(entry)
          .ifPresentOrElse(
              outcome -> settled.add(new PlanReview.Settled(entry, outcome)),
              () -> standing.add(entry));
    }
    return new PlanReview(now, census, standing, settled, limits.clocksApart(now, own));
  }

  /** What became of an entry that needs no request; empty where it is to be deleted. */
  private Optional<Outcome> settled(Entry saved) {
    var session = found.get(saved.session().reference());
    if (session == null) {
      return Optional.of(new Outcome.AlreadyGone());
    }
    if (!session.isSameAs(saved.session())) {
      return Optional.of(new Outcome.Replaced());
    }
    return switch (rules.judge(session, now)) {
      case Verdict.Keep keep -> Optional.of(new Outcome.Changed(keep.reason()));
      case Verdict.Prune _ ->
          session.equals(saved.session()) ? Optional.empty() : Optional.of(new Outcome.Altered());
    };
  }
}
