package dev.shipshape.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/**
 * Takes in a request's body up to a limit. Of a body beyond it the beginning is kept, in which the
 * uid is, and the rest is read and thrown away for a while: a client that is still sending would
 * not see an answer.
 */
final class RequestBody {
  /** What came. */
  sealed interface Received {
    /** All of it. */
    record Whole(Buffer body) implements Received {}

    /** More than the limit. */
    record TooLarge(Buffer beginning) implements Received {}

    /** Not all of it within the time. */
    record TooSlow(Buffer beginning) implements Received {}
  }

  /** Two objects of the API server's own limit (3 MiB), and 1 MiB for the rest. */
  static final int LIMIT = 7 * 1024 * 1024;

  /** Escapes can make six bytes of one, so that 17 MB come from an object that was 3 MB. */
  private static final int DRAIN_LIMIT = 32 * 1024 * 1024;

  /** Far beyond what comes before the object. */
  private static final int BEGINNING = 64 * 1024;

  /** The API server gives a call 30 s at most, and sends it at once. */
  private static final long SLOWEST_MILLIS = 10_000;

  private final Consumer<Received> then;
  private Buffer kept = Buffer.buffer();
  private int size;
  private boolean done;

  private RequestBody(Consumer<Received> then) {
    this.then = then;
  }

  /** Calls {@code then} once, on the event loop, unless the client goes away before. */
  static void receive(Vertx vertx, HttpServerRequest request, Consumer<Received> then) {
    var body = new RequestBody(then);
    var timer = vertx.setTimer(SLOWEST_MILLIS, fired -> body.finish(body.tooSlow()));
    request.exceptionHandler(gone -> vertx.cancelTimer(timer));
    request.handler(body::add);
    request.endHandler(
        ended -> {
          vertx.cancelTimer(timer);
          body.finish(body.received());
        });
  }

  private void add(Buffer part) {
    size += part.length();
    if (size <= LIMIT) {
      kept.appendBuffer(part);
      return;
    }
    if (kept.length() > BEGINNING) {
      kept = kept.getBuffer(0, BEGINNING);
    }
    if (size > DRAIN_LIMIT) {
      finish(received());
    }
  }

  private Received received() {
    return size <= LIMIT ? new Received.Whole(kept) : new Received.TooLarge(kept);
  }

  private Received tooSlow() {
    return new Received.TooSlow(kept.getBuffer(0, Math.min(BEGINNING, kept.length())));
  }

  private void finish(Received received) {
    if (done) {
      return;
    }
    done = true;
    then.accept(received);
  }
}
