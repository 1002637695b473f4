package dev.shipshape.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;

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
  }

  /** Two objects of the API server's own limit (3 MiB), and 1 MiB for the rest. */
  static final int LIMIT = 7 * 1024 * 1024;

  /** Escapes can make six bytes of one, so that 17 MB come from an object that was 3 MB. */
  private static final int DRAIN_LIMIT = 32 * 1024 * 1024;

  /** Far beyond what comes before the object. */
  private static final int BEGINNING = 64 * 1024;

  private final BodyRoom room;
  private final Consumer<Received> then;
  private Buffer kept = Buffer.buffer();
  private int size;
  private int taken;
  private boolean noRoom;
  private boolean done;

  private RequestBody(BodyRoom room, Consumer<Received> then) {
    this.room = room;
    this.then = then;
  }

  /**
   * Calls {@code then} once, on the event loop, unless the client goes away before.
   *
   * @param slowest how long the body may take
   */
  static void receive(
      Vertx vertx,
      HttpServerRequest request,
      BodyRoom room,
      Duration slowest,
      Consumer<Received> then) {
    var body = new RequestBody(room, then);
    var timer =
        vertx.setTimer(Math.max(1, slowest.toMillis()), fired -> body.finish(body.tooSlow()));
    request.exceptionHandler(
        gone -> {
          vertx.cancelTimer(timer);
          body.abandon();
        });
    request.handler(body::add);
    request.endHandler(
        ended -> {
          vertx.cancelTimer(timer);
          body.finish(body.received());
        });
  }

  private void add(Buffer part) {
    if (done) {
      return;
    }
    size += part.length();
    if (size <= LIMIT && !noRoom) {
      keep(part);
    } else if (kept.length() > BEGINNING) {
      kept = kept.getBuffer(0, BEGINNING);
      giveBack(taken - BEGINNING);
    }
    if (size > DRAIN_LIMIT) {
      finish(received());
    }
  }

  private void keep(Buffer part) {
    if (room.take(part.length())) {
      taken += part.length();
      kept.appendBuffer(part);
    } else {
      noRoom = true;
      kept = Buffer.buffer();
      giveBack(taken);
    }
  }

  private void giveBack(int bytes) {
    taken -= bytes;
    room.giveBack(bytes);
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
    done = true;
    if (!(received instanceof Received.Whole)) {
      giveBack(taken);
    }
    then.accept(received);
  }

  /** Nobody waits for an answer any more. */
  private void abandon() {
    if (!done) {
      done = true;
      kept = Buffer.buffer();
      giveBack(taken);
    }
  }
}
