package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the records that an earlier life of the program did not live to write: looks what became
 * of each session and Job that it was about to delete.
 */
final class Unfinished {
  private static final Logger logger = LoggerFactory.getLogger(Unfinished.class);

  /** Longer than any server works on a request; until then it may still be carried out. */
  private static final Duration REQUEST = Duration.ofMinutes(5);

  /** In a row: each takes its time, and the next ones would too. */
  private static final int MOST_UNANSWERED = 3;

  private final Sessions sessions;
  private final Dependents workloads;
  private final Journal journal;
  private final InstantSource clock;

  Unfinished(Sessions sessions, Dependents workloads, Journal journal, InstantSource clock) {
    this.sessions = sessions;
    this.workloads = workloads;
    this.journal = journal;
    this.clock = clock;
  }

  /**
   * Settles all that can be settled. One that cannot be read is left for the next run, whatever the
   * reason: that must not keep the others, nor this run.
   *
   * @throws java.io.UncheckedIOException where the journal cannot be used
   */
  void settle() {
    var unanswered = 0;
    for (var intent : journal.unfinished()) {
      try {
        settle(intent);
        unanswered = 0;
      } catch (ApiFailure e) {
        logger.warn("{}: what became of it is unknown: {}", intent.object(), e.getMessage());
        unanswered = e.code() == 0 ? unanswered + 1 : 0;
      }
      if (unanswered == MOST_UNANSWERED) {
        logger.warn("what else was begun and never recorded is looked at next time");
        return;
      }
    }
  }

  private void settle(Intent intent) {
    switch (intent) {
      case Intent.OfSession session -> settle(session);
      case Intent.OfJob job -> settle(job);
    }
  }

  /** It need not be tried again: whoever looks for leaked Jobs finds it, if it is still there. */
  private void settle(Intent.OfJob intent) {
    var since = Duration.between(intent.at(), clock.instant());
    var fate = workloads.fate(intent.job());
    if (fate.isPresent()) {
      tell(intent, intent.job().uid(), fate.get());
      journal.record(new JobRemoval(intent.run(), intent.job(), fate.get(), since));
    } else if (since.compareTo(REQUEST) > 0) {
      journal.forget(intent);
    }
  }

  private void settle(Intent.OfSession intent) {
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

  private static void tell(Intent intent, @Nullable String uid, Outcome outcome) {
    logger.warn(
        "prune {}: {} uid {} was begun and never recorded: {}",
        intent.run(),
        intent.object(),
        uid,
        outcome.word());
  }

  private void record(Intent.OfSession intent, Outcome outcome, Duration since) {
    tell(intent, intent.entry().session().uid(), outcome);
    journal.record(intent.run(), new Deletion(intent.entry(), outcome, since));
  }
}
