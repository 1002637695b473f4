package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TokenBucket;
import dev.shipshape.janitor.session.DeleteAnswer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes one object: one request in the usual case. Whatever else the server says, the object is
 * read again and judged afresh by every rule before another request is sent.
 */
final class Deleter<T> {
  private static final int TRIES = 5;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Kind<T> kind;
  private final TokenBucket bucket;
  private final Standstill standstill;
  private final StopSignal stop;

  Deleter(Kind<T> kind, TokenBucket bucket, StopSignal stop) {
    this(kind, bucket, Pace.PATIENCE, stop);
  }

  /**
   * @param patience how long to go on where the server carries nothing out
   */
  Deleter(Kind<T> kind, TokenBucket bucket, Duration patience, StopSignal stop) {
    this.kind = kind;
    this.bucket = bucket;
    this.standstill = new Standstill(patience, System::nanoTime);
    this.stop = stop;
  }

  /** What there is to know of a kind of objects. None of its calls sends a request twice. */
  interface Kind<T> {
    /**
     * Deletes one, only if it still is as it was seen.
     *
     * @throws ApiFailure where no answer came: it may be carried out all the same
     */
    DeleteAnswer delete(T seen);

    /**
     * Reads one again.
     *
     * @return empty where there is none of that name any more
     * @throws ApiFailure where it could not be read
     */
    Optional<T> reread(T seen);

    /** Whether both are the same, not only of the same name. */
    boolean isSame(T one, T other);

    /** Whether its deletion has begun. */
    boolean isLeaving(T object);

    /** Why one that was read again stays now; empty where it may go as it is. */
    Optional<Outcome> stays(T seen, T fresh);
  }

  /** How a request ended: with an outcome, marked for deletion, or with the wish to try again. */
  sealed interface Step<T> {
    record End<T>(Outcome outcome) implements Step<T> {}

    /** Accepted: whether it is gone must still be seen. */
    record Marked<T>() implements Step<T> {}

    /** To be tried again with the object as it is now. */
    record Again<T>(T object, String reason, Doubt doubt) implements Step<T> {}
  }

  /** Whether an earlier request may have been carried out, though nothing said so. */
  enum Doubt {
    NONE,
    /** It may, but the object was seen since. */
    SEEN,
    /** It may, and the object could not be seen since. */
    UNSEEN
  }

  /**
   * Never throws for an object's own trouble: one object must not end the run.
   *
   * @param begins called before the first request; where it throws, nothing is sent
   */
  Step<T> delete(T listed, Runnable begins) {
    var object = listed;
    var reason = "";
    var doubt = Doubt.NONE;
    for (var tried = 0; tried < TRIES; tried++) {
      if (!awaitTurn()) {
        return new Step.End<>(stopped(tried, reason, doubt));
      }
      if (tried == 0) {
        try {
          begins.run();
        } catch (UncheckedIOException e) {
          return new Step.End<>(new Outcome.Failed("not sent: " + e.getMessage()));
        }
      }
      var step = once(object, doubt);
      if (!(step instanceof Step.Again<T> again)) {
        return step;
      }
      object = again.object();
      reason = again.reason();
      doubt = again.doubt();
    }
    return new Step.End<>(failed("given up after %d tries: %s".formatted(TRIES, reason), doubt));
  }

  /** Whether the server has carried nothing out for so long that nothing more is tried. */
  boolean hasGivenUp() {
    return standstill.isTooLong();
  }

  /**
   * Waits for a token, and for another one where the server asked for fewer requests meanwhile.
   *
   * @return false where told to stop, or where it is given up
   */
  private boolean awaitTurn() {
    do {
      if (stop.isStopped() || hasGivenUp() || !stop.pause(bucket.take())) {
        return false;
      }
    } while (bucket.isHeldBack());
    return true;
  }

  private Outcome stopped(int tried, String reason, Doubt doubt) {
    var why = hasGivenUp() ? "given up" : "told to stop";
    return tried == 0
        ? new Outcome.NotTried()
        : failed("%s after %d tries: %s".formatted(why, tried, reason), doubt);
  }

  private static Outcome failed(String message, Doubt doubt) {
    return doubt == Doubt.UNSEEN
        ? new Outcome.Failed(message + " (it may have been deleted all the same)", true)
        : new Outcome.Failed(message);
  }

  private Step<T> once(T object, Doubt doubt) {
    try {
      var answer = kind.delete(object);
      look(answer);
      return switch (answer) {
        case DeleteAnswer.Gone _ -> new Step.End<>(new Outcome.Gone());
        case DeleteAnswer.Marked _ -> new Step.Marked<>();
        case DeleteAnswer.NotFound _ -> new Step.End<>(gone(doubt));
        case DeleteAnswer.Conflict _ -> afresh(object, "it keeps changing", doubt);
        case DeleteAnswer.Throttled throttled -> throttled(object, throttled, doubt);
        case DeleteAnswer.NotSent notSent -> notSent(object, notSent, doubt);
        case DeleteAnswer.Refused refused -> refused(object, refused, doubt);
      };
    } catch (ApiFailure e) {
      standstill.goesOn();
      // The request may have been carried out although its answer was lost.
      return afresh(object, String.valueOf(e.getMessage()), Doubt.UNSEEN);
    }
  }

  private void look(DeleteAnswer answer) {
    switch (answer) {
      case DeleteAnswer.Throttled _, DeleteAnswer.NotSent _ -> standstill.goesOn();
      case DeleteAnswer.Refused refused when isFailure(refused) -> standstill.goesOn();
      default -> standstill.ends();
    }
  }

  /** Of the server's, and not of what was asked. */
  private static boolean isFailure(DeleteAnswer.Refused refused) {
    return refused.code() >= 500;
  }

  /**
   * How long to send nothing, never less than the usual pause.
   *
   * @param asked by the server, obeyed up to a minute; null where it did not say
   */
  static Duration pause(@Nullable Duration asked) {
    var pause = asked == null || asked.compareTo(PAUSE) < 0 ? PAUSE : asked;
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
  }

  private Step<T> throttled(T object, DeleteAnswer.Throttled throttled, Doubt doubt) {
    bucket.holdBack(pause(throttled.retryAfter()));
    return new Step.Again<>(object, "the server asks for fewer requests", doubt);
  }

  /** Trying again reads it again. */
  private Step<T> notSent(T object, DeleteAnswer.NotSent notSent, Doubt doubt) {
    bucket.holdBack(pause(notSent.retryAfter()));
    return new Step.Again<>(object, notSent.message(), doubt);
  }

  private Step<T> refused(T object, DeleteAnswer.Refused refused, Doubt doubt) {
    var message = "answered %d: %s".formatted(refused.code(), refused.message());
    if (!isFailure(refused)) {
      return new Step.End<>(failed(message, doubt));
    }
    bucket.holdBack(pause(refused.retryAfter()));
    return afresh(object, message, Doubt.UNSEEN);
  }

  private Step<T> afresh(T object, String reason, Doubt doubt) {
    if (!awaitTurn()) {
      return new Step.Again<>(object, reason, doubt);
    }
    final Optional<T> found;
    try {
      found = kind.reread(object);
    } catch (ApiFailure e) {
      bucket.holdBack(pause(e.retryAfter()));
      return new Step.Again<>(object, String.valueOf(e.getMessage()), doubt);
    }
    if (found.isEmpty()) {
      return new Step.End<>(gone(doubt));
    }
    var fresh = found.get();
    if (!kind.isSame(fresh, object)) {
      return new Step.End<>(new Outcome.Replaced());
    }
    if (doubt != Doubt.NONE && kind.isLeaving(fresh)) {
      return new Step.Marked<>();
    }
    var stays = kind.stays(object, fresh);
    return stays.isPresent()
        ? new Step.End<>(stays.get())
        : new Step.Again<>(fresh, reason, doubt == Doubt.NONE ? Doubt.NONE : Doubt.SEEN);
  }

  /** One that is gone may have been deleted by our own request. */
  private static Outcome gone(Doubt doubt) {
    return doubt == Doubt.NONE ? new Outcome.AlreadyGone() : new Outcome.Gone();
  }
}
