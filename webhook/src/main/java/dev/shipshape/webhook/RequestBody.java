package dev.shipshape.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Takes in a request's body up to a limit. Of a body beyond it the beginning is kept, in which the
 * uid is, and the rest is read and thrown away for a while: a client that is still sending would
 * not see an answer.
 */
final class RequestBody {
  /** What came. Each array is the receiver's own. */
  @SuppressWarnings("ArrayRecordComponent")
  sealed interface Received {
    /** All of it. Its room is to be given back. */
    record Whole(byte[] body) implements Received {}

    /** More than the limit. */
    record TooLarge(byte[] beginning) implements Received {}

    /** Not all of it within the time. */
    record TooSlow(byte[] beginning) implements Received {}

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

  private static final byte[] NOTHING = {};

  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");

  private final Vertx vertx;
  private final Pace pace;
  private final Consumer<Received> then;
  private final BodyRoom.Place place;
  private final long timer;
  private final int declared;
  private byte[] kept = NOTHING;
  private int length;
  private int size;
  private boolean noRoom;
  private boolean done;

  private RequestBody(
      Vertx vertx,
      int declared,
      BodyRoom room,
      Pace pace,
      Duration slowest,
      Consumer<Received> then) {
    this.vertx = vertx;
    this.declared = declared;
    this.pace = pace;
    this.then = then;
    var eventLoop = vertx.getOrCreateContext();
    place =
        room.enter(
            declared <= DecisionWorkers.LARGE_BODY,
            pace,
            () -> eventLoop.runOnContext(ignored -> finish(new Received.Stalled())));
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
    var body = new RequestBody(vertx, declared(request), room, pace, slowest, then);
    request.exceptionHandler(gone -> body.abandon());
    request.handler(body::add);
    request.endHandler(ended -> body.finish(body.received()));
  }

  /** A body of which that is not known beforehand may become any size. */
  private static int declared(HttpServerRequest request) {
    var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length != null && LENGTH.matcher(length).matches()
        ? Integer.parseInt(length)
        : Integer.MAX_VALUE;
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
    } else if (length > BEGINNING) {
      place.giveBack(length - BEGINNING);
      kept = Arrays.copyOf(kept, BEGINNING);
      length = BEGINNING;
    }
    if (size > DRAIN_LIMIT) {
      finish(received());
    }
  }

  private void keep(Buffer part, long now) {
    if (place.take(part.length(), now)) {
      append(part);
    } else {
      noRoom = true;
      place.giveBack(length);
      kept = NOTHING;
      length = 0;
    }
  }

  /** Grows no further than to what is declared, so that nothing is copied at the end. */
  private void append(Buffer part) {
    var needed = length + part.length();
    if (needed > kept.length) {
      kept = Arrays.copyOf(kept, Math.max(needed, Math.min(2 * kept.length, declared)));
    }
    part.getBytes(kept, length);
    length = needed;
  }

  private byte[] kept(int most) {
    var end = Math.min(most, length);
    return end == kept.length ? kept : Arrays.copyOf(kept, end);
  }

  private Received received() {
    if (size > LIMIT) {
      return new Received.TooLarge(kept(BEGINNING));
    }
    return noRoom ? new Received.NoRoom() : new Received.Whole(kept(length));
  }

  private Received tooSlow() {
    return new Received.TooSlow(kept(BEGINNING));
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
    kept = NOTHING;
    vertx.cancelTimer(timer);
  }
}
