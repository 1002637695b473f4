package dev.shipshape.webhook.admission;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;

/**
 * A request's body, taken in up to a limit. Of a larger one the beginning is kept, in which the uid
 * is, and the rest is read and thrown away: a client that is still sending would not see an answer.
 */
final class RequestBody {
  /** What came. Each array is the receiver's own. */
  @SuppressWarnings("ArrayRecordComponent")
  sealed interface Received {
    /** All of it. */
    record Whole(byte[] body) implements Received {}

    /** More than the limit. */
    record TooLarge(byte[] beginning) implements Received {}

    /** There was no room for it. */
    record NoRoom() implements Received {}
  }

  /** Two objects of the API server's own limit (3 MiB), and 1 MiB for the rest. */
  static final int LIMIT = 7 * 1024 * 1024;

  /** Escapes can make six bytes of one, so that 17 MB come from an object that was 3 MB. */
  private static final int DISCARDED = 32 * 1024 * 1024;

  /** Far beyond what comes before the object. */
  private static final int BEGINNING = 64 * 1024;

  private static final byte[] NOTHING = {};

  private final HttpServerRequest request;
  private final BodyBudget budget;
  private byte[] kept = NOTHING;
  private int length;
  private long size;
  private long taken;
  private boolean noRoom;

  RequestBody(HttpServerRequest request, BodyBudget budget) {
    this.request = request;
    this.budget = budget;
  }

  /** Fails if the client goes away before the end. */
  Future<Received> receive() {
    request.handler(this::add);
    return request.end().map(ended -> received());
  }

  /** Gives the room back. To be called once, on the event loop, when the call is over. */
  void release() {
    budget.giveBack(taken);
    taken = 0;
    noRoom = true;
    kept = NOTHING;
  }

  private void add(Buffer part) {
    size += part.length();
    if (size > DISCARDED) {
      request.connection().close();
    } else if (size > LIMIT) {
      length = Math.min(length, BEGINNING);
      kept = Arrays.copyOf(kept, length);
    } else if (!noRoom && budget.take(part.length(), size)) {
      taken += part.length();
      append(part);
    } else {
      noRoom = true;
      kept = NOTHING;
      length = 0;
    }
  }

  private void append(Buffer part) {
    var needed = length + part.length();
    if (needed > kept.length) {
      kept = Arrays.copyOf(kept, Math.max(needed, Math.min(LIMIT, 2 * kept.length)));
    }
    part.getBytes(kept, length);
    length = needed;
  }

  private Received received() {
    if (size > LIMIT) {
      return new Received.TooLarge(kept);
    }
    if (noRoom) {
      return new Received.NoRoom();
    }
    return new Received.Whole(length == kept.length ? kept : Arrays.copyOf(kept, length));
  }
}
