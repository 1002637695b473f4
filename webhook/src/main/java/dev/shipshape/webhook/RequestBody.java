package dev.shipshape.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Takes in a request's body up to a limit. Of a body beyond it the beginning is kept, in which the
 * uid is, and the rest is read and thrown away for a while: a client that is still sending would
 * not see an answer.
 */
final class RequestBody {
  /** What came. */
  sealed interface Received {
    /** All of it. Its room is to be given back. */
    record Whole(Buffer body) implements Received {}

    /** More than the limit. */
    record TooLarge(Buffer beginning) implements Received {}

    /** Not all of it within the time. */
    record TooSlow(Buffer beginning) implements Received {}

    /** There was no room for it. */
    record NoRoom() implements Received {}

    /** It was behind, and had to make room for others. */
    record Stalled() implements Received {}
  }

  /** Two objects of the API server's own limit (3 MiB), and 1 MiB for the rest. */
  static final int LIMIT = 7 * 1024 * 1024;

  /** Escapes can make six bytes of one, so that 17 MB come from an object that was 3 MB. */
  private static final int DRAIN_LIMIT = 32 * 1024 * 1024;

  /** Far beyond what comes before the object. */
  private static final int BEGINNING = 64 * 1024;

  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");

  private final Vertx vertx;
  private final Pace pace;
  private final Consumer<Received> then;
  private final BodyRoom.Place place;
  private final long timer;
  private Buffer kept = Buffer.buffer();
  private int size;
  private boolean noRoom;
  private boolean done;

  private RequestBody(
      Vertx vertx,
      boolean small,
      BodyRoom room,
      Pace pace,
      Duration slowest,
      Consumer<Received> then) {
    this.vertx = vertx;
    this.pace = pace;
    this.then = then;
    var eventLoop = vertx.getOrCreateContext();
    place =
        room.enter(
            small, pace, () -> eventLoop.runOnContext(ignored -> finish(new Received.Stalled())));
    timer = vertx.setTimer(Math.max(1, slowest.toMillis()), fired -> finish(tooSlow()));
  }

  /**
   * Calls {@code then} once, on the event loop, unless the client goes away before.
   *
   * @param pace the client's
   * @param slowest how long the body may take
   */
  static void receive(
      Vertx vertx,
      HttpServerRequest request,
      BodyRoom room,
      Pace pace,
      Duration slowest,
      Consumer<Received> then) {
    var body = new RequestBody(vertx, isSmall(request), room, pace, slowest, then);
    request.exceptionHandler(gone -> body.abandon());
    request.handler(body::add);
    request.endHandler(ended -> body.finish(body.received()));
  }

  /** A body of which that is not known beforehand may become any size. */
  private static boolean isSmall(HttpServerRequest request) {
    var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length != null
        && LENGTH.matcher(length).matches()
        && Integer.parseInt(length) <= DecisionWorkers.LARGE_BODY;
  }

  private void add(Buffer part) {
    if (done) {
      return;
    }
    var now = System.nanoTime();
    pace.advance(part.length(), now);
    size += part.length();
    if (size <= LIMIT && !noRoom) {
      keep(part, now);
    } else if (kept.length() > BEGINNING) {
      place.giveBack(kept.length() - BEGINNING);
      kept = kept.getBuffer(0, BEGINNING);
    }
    if (size > DRAIN_LIMIT) {
      finish(received());
    }
  }

  private void keep(Buffer part, long now) {
    if (place.take(part.length(), now)) {
      kept.appendBuffer(part);
    } else {
      noRoom = true;
      place.giveBack(kept.length());
      kept = Buffer.buffer();
    }
  }

  private Received received() {
    if (size > LIMIT) {
      return new Received.TooLarge(kept);
    }
    return noRoom ? new Received.NoRoom() : new Received.Whole(kept);
  }

  private Received tooSlow() {
    return new Received.TooSlow(kept.getBuffer(0, Math.min(BEGINNING, kept.length())));
  }

  private void finish(Received received) {
    if (done) {
      return;
    }
    end();
    if (!(received instanceof Received.Whole)) {
      place.leave();
      then.accept(received);
    } else {
      then.accept(place.settle() ? received : new Received.Stalled());
    }
  }

  /** Nobody waits for an answer any more. */
  private void abandon() {
    if (!done) {
      end();
      place.leave();
    }
  }

  /** Lets go of what was kept, for the connection's handlers go on holding this. */
  private void end() {
    done = true;
    kept = Buffer.buffer();
    vertx.cancelTimer(timer);
  }
}
