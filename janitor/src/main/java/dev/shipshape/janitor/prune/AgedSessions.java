package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.DeleteAnswer;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Instant;
import java.util.Optional;

/**
 * Sessions that the rules chose.
 *
 * @param now the server's time that they were judged by
 * @param exactly only as each was seen first, whatever the rules say of it now
 */
record AgedSessions(Sessions sessions, Rules rules, Instant now, boolean exactly)
    implements Deleter.Kind<Session> {

  @Override
  public DeleteAnswer delete(Session seen) {
    return sessions.delete(seen);
  }

  @Override
  public Optional<Session> reread(Session seen) {
    return sessions.reread(seen);
  }

  @Override
  public boolean isSame(Session one, Session other) {
    return one.isSameAs(other);
  }

  @Override
  public boolean isLeaving(Session session) {
    return session.marks().contains(Session.Mark.LEAVING);
  }

  @Override
  public Optional<Outcome> stays(Session seen, Session fresh) {
    if (exactly && !fresh.equals(seen)) {
      return Optional.of(new Outcome.Altered());
    }
    return rules.judge(fresh, now) instanceof Verdict.Keep keep
        ? Optional.of(new Outcome.Changed(keep.reason()))
        : Optional.empty();
  }
}
