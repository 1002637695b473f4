package dev.shipshape.webhook;

import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one listener, on its event loop. One that sends a head or nothing too slowly
 * is closed: bytes alone do not keep a connection, whole requests do.
 */
final class Connections {
  /** So many beyond the limit are told so; further ones are closed at once. */
  private static final int TOLD = 100;

  /** Why the requests of a connection are not answered otherwise. */
  record Objection(Refusal refusal, String why) {}

  private static final class Held {
    private final boolean tooMany;
    private long since;
    private boolean hasAsked;
    private ClientAuthority.@Nullable Opinion opinion;

    private Held(boolean tooMany, long since) {
      this.tooMany = tooMany;
      this.since = since;
    }
  }

  private final ConnectionLimits limits;
  private final @Nullable ClientAuthority clients;
  private final AtomicInteger open;
  private final Map<HttpConnection, Held> held = new HashMap<>();

  /**
   * @param clients who may call; null for anybody
   * @param open how many there are in all listeners
   */
  Connections(ConnectionLimits limits, @Nullable ClientAuthority clients, AtomicInteger open) {
    this.limits = limits;
    this.clients = clients;
    this.open = open;
  }

  ConnectionLimits limits() {
    return limits;
  }

  /** Takes in a new connection. */
  void opened(HttpConnection connection) {
    var count = open.incrementAndGet();
    connection.closeHandler(
        closed -> {
          open.decrementAndGet();
          held.remove(connection);
        });
    if (count > limits.most() + TOLD) {
      connection.close();
    } else {
      held.put(connection, new Held(count > limits.most(), System.nanoTime()));
    }
  }

  /** Notes that a whole head has come. */
  void asked(HttpConnection connection) {
    var one = held.get(connection);
    if (one != null) {
      one.since = System.nanoTime();
      one.hasAsked = true;
    }
  }

  /** Why a request of this connection is to be turned away; null where it is welcome. */
  @Nullable Objection objectionTo(HttpConnection connection) {
    var one = held.get(connection);
    if (one == null || one.tooMany) {
      return new Objection(Refusal.OVERLOADED, "too many connections");
    }
    if (clients == null) {
      return null;
    }
    var opinion = clients.opinionOf(connection, one.opinion);
    one.opinion = opinion;
    return opinion.objection() == null
        ? null
        : new Objection(Refusal.UNKNOWN_CALLER, opinion.objection());
  }

  /** Closes what takes too long; to be called often. */
  void closeOverdue() {
    var now = System.nanoTime();
    for (var entry : List.copyOf(held.entrySet())) {
      var one = entry.getValue();
      var patience = one.hasAsked ? limits.idle() : limits.head();
      if (now - one.since > patience.toNanos()) {
        entry.getKey().close();
      }
    }
  }
}
