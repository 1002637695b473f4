package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import java.time.Instant;

/**
 * A deletion that was about to be sent.
 *
 * @param run the run that it belongs to
 * @param at when, by our clock
 */
public record Intent(String run, Instant at, Plan.Entry entry) {

  /** The same for every try to delete one session, whichever run it is in. */
  String key() {
    return key(entry.session());
  }

  static String key(Session session) {
    return session.uid() != null
        ? session.reference() + " " + session.uid()
        : "%s %s %s".formatted(session.reference(), session.times().started(), session.job());
  }
}
