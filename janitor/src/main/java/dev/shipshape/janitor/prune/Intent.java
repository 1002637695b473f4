package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import java.time.Instant;

/** A deletion that was about to be sent. */
public sealed interface Intent {

  /** The run that it belongs to. */
  String run();

  /** When, by our clock. */
  Instant at();

  /** How the record of it names what was to be deleted. */
  String object();

  /** The same for every try to delete one object, whichever run it is in. */
  String key();

  /** Of a session. */
  record OfSession(String run, Instant at, Plan.Entry entry) implements Intent {
    @Override
    public String object() {
      return entry.session().reference();
    }

    @Override
    public String key() {
      return Intent.key(entry.session());
    }
  }

  /** Of a Job that the operator had leaked. */
  record OfJob(String run, Instant at, LeakedJob job) implements Intent {
    @Override
    public String object() {
      return job.reference();
    }

    @Override
    public String key() {
      return Intent.key(job);
    }
  }

  static String key(Session session) {
    return session.uid() != null
        ? session.reference() + " " + session.uid()
        : "%s %s %s".formatted(session.reference(), session.times().started(), session.job());
  }

  static String key(LeakedJob job) {
    return job.reference() + " " + job.uid();
  }
}
