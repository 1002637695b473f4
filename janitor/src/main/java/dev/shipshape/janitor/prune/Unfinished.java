package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the records that an earlier life of the program did not live to write: looks what became
 * of each session that it was about to delete.
 */
final class Unfinished {
  private static final Logger logger = LoggerFactory.getLogger(Unfinished.class);

  /** Longer than any server works on a request; until then it may still be carried out. */
  private static final Duration REQUEST = Duration.ofMinutes(5);

  private final Sessions sessions;
  private final Journal journal;
  private final InstantSource clock;

  Unfinished(Sessions sessions, Journal journal, InstantSource clock) {
    this.sessions = sessions;
    this.journal = journal;
    this.clock = clock;
  }

  /**
   * Settles all that can be settled.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where a session cannot be read
   * @throws java.io.UncheckedIOException where the journal cannot be used
   */
  void settle() {
    journal.unfinished().forEach(this::settle);
  }

  private void settle(Intent intent) {
    var session = intent.entry().session();
    var since = Duration.between(intent.at(), clock.instant());
    var found = sessions.reread(session).filter(now -> now.isSameAs(session));
    if (found.isEmpty()) {
      record(intent, new Outcome.FoundGone(), since);
    } else if (found.get().marks().contains(Mark.LEAVING)) {
      record(intent, new Outcome.Remaining("marked for deletion when looked at again"), since);
    } else if (since.compareTo(REQUEST) > 0) {
      journal.forget(intent);
    }
  }

  private void record(Intent intent, Outcome outcome, Duration since) {
    logger.warn(
        "prune {}: {} uid {} was begun and never recorded: {}",
        intent.run(),
        intent.entry().session().reference(),
        intent.entry().session().uid(),
        outcome.word());
    journal.record(intent.run(), new Deletion(intent.entry(), outcome, since));
  }
}
