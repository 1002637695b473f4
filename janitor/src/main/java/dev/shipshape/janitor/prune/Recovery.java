package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the records that an earlier life of the program did not live to write: looks what became
 * of each session that it was about to delete.
 */
record Recovery(SessionStore sessions, AuditLog audit, InstantSource clock) {
  private static final Logger logger = LoggerFactory.getLogger(Recovery.class);

  static final String FOUND =
      "found when looked at again: the run before was killed, or had lost the answer";

  /** Longer than any server works on a request; until then it may still be carried out. */
  private static final Duration REQUEST = Duration.ofMinutes(5);

  /**
   * Records all that can be told. What cannot be read is left for the next run.
   *
   * @throws java.io.UncheckedIOException where the records cannot be kept
   */
  void run() {
    for (var pending : audit.unfinished()) {
      try {
        var result = fate(pending);
        if (result.isPresent()) {
          logger.warn(
              "prune {}: {} uid {} was begun and never recorded: {}",
              pending.run(),
              pending.target().object(),
              pending.target().uid(),
              result.get().status().word());
          audit.end(pending, result.get());
        }
      } catch (KubernetesClientException e) {
        logger.warn(
            "{}: could not find out how its deletion ended: {}",
            pending.target().object(),
            ApiErrors.reason(e));
        if (e.getCode() == 0) {
          return;
        }
      }
    }
  }

  /** Empty where it may still be carried out. */
  private Optional<DeleteResult> fate(PendingDeletion pending) {
    var fate =
        switch (pending.target()) {
          case Plan.Entry entry -> fate(entry.session());
        };
    var isOver = Duration.between(pending.at(), clock.instant()).compareTo(REQUEST) > 0;
    return fate.isEmpty() && isOver
        ? Optional.of(new DeleteResult(Status.FAILED, "it is still there: it was not carried out"))
        : fate;
  }

  private Optional<DeleteResult> fate(Session session) {
    var found = sessions.get(session).filter(now -> now.isSameAs(session));
    if (found.isEmpty()) {
      return Optional.of(new DeleteResult(Status.GONE, FOUND));
    }
    return found.get().marks().contains(Mark.TERMINATING)
        ? Optional.of(
            new DeleteResult(Status.REMAINING, "marked for deletion when looked at again"))
        : Optional.empty();
  }
}
