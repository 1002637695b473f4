package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TokenBucket;
import dev.shipshape.janitor.session.DeleteAnswer;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Deletes one session: one request in the usual case. Whatever else the server says, the session is
 * read again and judged afresh by every rule before another request is sent.
 */
final class Deleter {
  private static final int TRIES = 5;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Sessions sessions;
  private final Rules rules;
  private final TokenBucket bucket;
  private final StopSignal stop;
  private final Instant now;
  private final boolean exactly;

  /**
   * @param exactly only as it was seen first, whatever the rules say of it now
   */
  Deleter(
      Sessions sessions,
      Rules rules,
      TokenBucket bucket,
      StopSignal stop,
      Instant now,
      boolean exactly) {
    this.sessions = sessions;
    this.rules = rules;
    this.bucket = bucket;
    this.stop = stop;
    this.now = now;
    this.exactly = exactly;
  }

  /** How a request ended: with an outcome, marked for deletion, or with the wish to try again. */
  sealed interface Step {
    record End(Outcome outcome) implements Step {}

    /** Accepted: whether it is gone must still be seen. */
    record Marked() implements Step {}

    /** To be tried again with the session as it is now. */
    record Again(Session session, String reason) implements Step {}
  }

  /**
   * Never throws for a session's own trouble: one session must not end the run.
   *
   * @param begins called before the first request; where it throws, nothing is sent
   */
  Step delete(Session listed, Runnable begins) {
    var session = listed;
    var reason = "";
    for (var tried = 0; tried < TRIES; tried++) {
      if (stop.isStopped() || !stop.pause(bucket.take())) {
        return new Step.End(stopped(tried, reason));
      }
      if (tried == 0) {
        try {
          begins.run();
        } catch (UncheckedIOException e) {
          return new Step.End(new Outcome.Failed("not sent: " + e.getMessage()));
        }
      }
      var step = once(session);
      if (!(step instanceof Step.Again again)) {
        return step;
      }
      session = again.session();
      reason = again.reason();
    }
    return new Step.End(new Outcome.Failed("given up after %d tries: %s".formatted(TRIES, reason)));
  }

  private static Outcome stopped(int tried, String reason) {
    return tried == 0
        ? new Outcome.NotTried()
        : new Outcome.Failed("told to stop after %d tries: %s".formatted(tried, reason));
  }

  private Step once(Session session) {
    try {
      return switch (sessions.delete(session)) {
        case DeleteAnswer.Gone _ -> new Step.End(new Outcome.Gone());
        case DeleteAnswer.Marked _ -> new Step.Marked();
        case DeleteAnswer.NotFound _ -> new Step.End(new Outcome.AlreadyGone());
        case DeleteAnswer.Conflict _ -> afresh(session, "it keeps changing", false);
        case DeleteAnswer.Throttled throttled -> throttled(session, throttled);
        case DeleteAnswer.Refused refused -> refused(session, refused);
      };
    } catch (ApiFailure e) {
      // The request may have been carried out although its answer was lost.
      return afresh(session, String.valueOf(e.getMessage()), true);
    }
  }

  private Step throttled(Session session, DeleteAnswer.Throttled throttled) {
    var asked = Optional.ofNullable(throttled.retryAfter()).orElse(PAUSE);
    bucket.holdBack(asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked);
    return new Step.Again(session, "the server asks for fewer requests");
  }

  private Step refused(Session session, DeleteAnswer.Refused refused) {
    var message = "answered %d: %s".formatted(refused.code(), refused.message());
    if (refused.code() < 500) {
      return new Step.End(new Outcome.Failed(message));
    }
    bucket.holdBack(PAUSE);
    return afresh(session, message, true);
  }

  /**
   * @param mayBeOurs whether a session that is gone may have been deleted by our own request
   */
  private Step afresh(Session session, String reason, boolean mayBeOurs) {
    final Optional<Session> found;
    try {
      found = sessions.reread(session);
    } catch (ApiFailure e) {
      bucket.holdBack(PAUSE);
      return new Step.Again(session, String.valueOf(e.getMessage()));
    }
    if (found.isEmpty()) {
      return new Step.End(mayBeOurs ? new Outcome.Gone() : new Outcome.AlreadyGone());
    }
    var fresh = found.get();
    if (!fresh.isSameAs(session)) {
      return new Step.End(new Outcome.Replaced());
    }
    if (mayBeOurs && fresh.marks().contains(Session.Mark.LEAVING)) {
      return new Step.Marked();
    }
    if (exactly && !fresh.equals(session)) {
      return new Step.End(new Outcome.Altered());
    }
    return switch (rules.judge(fresh, now)) {
      case Verdict.Keep keep -> new Step.End(new Outcome.Changed(keep.reason()));
      case Verdict.Prune _ -> new Step.Again(fresh, reason);
    };
  }
}
