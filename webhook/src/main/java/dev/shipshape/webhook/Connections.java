package dev.shipshape.webhook;

import io.vertx.core.http.HttpConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one server, each used by its own event loop and closed by any. One that sends
 * a head or nothing too slowly is closed: bytes alone do not keep a connection, whole requests do.
 */
final class Connections {
  private static final Logger logger = LoggerFactory.getLogger(Connections.class);

  /** So many beyond the limit are told so; further ones are closed at once. */
  private static final int TOLD = 100;

  /** Why the requests of a connection are not answered otherwise. */
  record Objection(Refusal refusal, String why) {}

  private static final class Held {
    private final boolean tooMany;
    private final Pace pace;
    private volatile long since;
    private volatile boolean hasAsked;
    private ClientAuthority.@Nullable Opinion opinion;

    private Held(boolean tooMany, Pace pace, long since) {
      this.tooMany = tooMany;
      this.pace = pace;
      this.since = since;
    }
  }

  private final ConnectionLimits limits;
  private final @Nullable ClientAuthority clients;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<HttpConnection, Held> held = new ConcurrentHashMap<>();

  /**
   * @param clients who may call; null for anybody
   */
  Connections(ConnectionLimits limits, @Nullable ClientAuthority clients) {
    this.limits = limits;
    this.clients = clients;
  }

  ConnectionLimits limits() {
    return limits;
  }

  /** How many there are, with those that are being closed. */
  int count() {
    return open.get();
  }

  /** Takes in a new connection; where there are too many, the one furthest behind yields to it. */
  void opened(HttpConnection connection) {
    var now = System.nanoTime();
    var count = open.incrementAndGet();
    connection.closeHandler(
        closed -> {
          open.decrementAndGet();
          held.remove(connection);
        });
    var welcome = count <= limits.most() || oneYields(now);
    if (count > limits.most() + TOLD) {
      connection.close();
    } else {
      held.put(connection, new Held(!welcome, new Pace(limits.grace(), now), now));
    }
  }

  /** Notes that a whole head has come. */
  void asked(HttpConnection connection) {
    var one = held.get(connection);
    if (one != null) {
      var now = System.nanoTime();
      one.since = now;
      one.hasAsked = true;
      one.pace.begin(now);
    }
  }

  /** How its client gets on. */
  Pace paceOf(HttpConnection connection) {
    var one = held.get(connection);
    return one == null ? new Pace(limits.grace(), System.nanoTime()) : one.pace;
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

  /** Closes what takes too long, and who is behind while there are too many; to be called often. */
  void closeOverdue() {
    var now = System.nanoTime();
    held.forEach(
        (connection, one) -> {
          var patience = one.hasAsked ? limits.idle() : limits.head();
          if (now - one.since > patience.toNanos()) {
            connection.close();
          }
        });
    var tooMany = open.get() - limits.most();
    while (tooMany > 0 && oneYields(now)) {
      tooMany--;
    }
  }

  private boolean oneYields(long now) {
    while (true) {
      HttpConnection last = null;
      var by = 0L;
      for (var entry : held.entrySet()) {
        var behind = entry.getValue().pace.behind(now);
        if (behind > by) {
          last = entry.getKey();
          by = behind;
        }
      }
      if (last == null) {
        return false;
      }
      // Whoever removes it has its place.
      if (held.remove(last) != null) {
        logger.info("closing the connection of {}, for others need room", last.remoteAddress());
        last.close();
        return true;
      }
    }
  }
}
