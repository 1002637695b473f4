package dev.shipshape.webhook;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.SocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one server, each used by its own event loop and closed by any. One that sends
 * a head or nothing too slowly is closed: bytes alone do not keep a connection, whole requests do.
 * What is closed counts no more from that moment, and waits for no client to read its answers.
 */
final class Connections {
  private static final Logger logger = LoggerFactory.getLogger(Connections.class);

  /** So many beyond the limit are told so; further ones are closed at once. */
  private static final int TOLD = 100;

  /** Why the requests of a connection are not answered otherwise. */
  record Objection(Refusal refusal, String why) {}

  private static final class Held {
    private final Pace pace;
    private volatile long since;
    private volatile boolean hasAsked;
    private volatile boolean isKnown;
    private volatile boolean tooMany;
    private ClientAuthority.@Nullable Opinion opinion;

    private Held(Pace pace, long since) {
      this.pace = pace;
      this.since = since;
    }
  }

  private record Late(HttpConnection connection, boolean isKnown, long by) {}

  private final ConnectionLimits limits;
  private final @Nullable ClientAuthority clients;
  private final Map<HttpConnection, Held> held = new ConcurrentHashMap<>();
  private final AtomicInteger yielded = new AtomicInteger();
  private volatile @Nullable SocketAddress lastYielded;

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

  /** How many there are, with those that are told that they are too many. */
  int count() {
    return held.size();
  }

  /** Takes in a new connection; where there are too many, one that is behind yields to it. */
  void opened(HttpConnection connection) {
    var now = System.nanoTime();
    var one = new Held(new Pace(limits.grace(), now), now);
    held.put(connection, one);
    connection.closeHandler(closed -> held.remove(connection));
    if (held.size() > limits.most() && !findsPlace(now)) {
      one.tooMany = true;
      if (held.size() > limits.most() + TOLD) {
        cut(connection);
      }
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

  /** Notes that a review has come that could be read, as the API server's can. */
  void understood(HttpConnection connection) {
    var one = held.get(connection);
    if (one != null) {
      one.isKnown = true;
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

  /**
   * Closes what takes too long, and who was told to be one too many and stays; to be called often.
   */
  void closeOverdue() {
    var now = System.nanoTime();
    held.forEach(
        (connection, one) -> {
          var patience = one.hasAsked ? limits.idle() : limits.head();
          var isOverdue = now - one.since > patience.toNanos();
          if (isOverdue || (one.tooMany && one.pace.behind(now) > 0)) {
            cut(connection);
          }
        });
    var count = yielded.getAndSet(0);
    if (count > 0) {
      logger.info(
          "closed {} connections that were behind, for others needed room; the last was from {}",
          count,
          lastYielded);
    }
  }

  /** Whether there is a place for the newcomer that is held already. */
  private boolean findsPlace(long now) {
    while (true) {
      var places = held.entrySet().stream().filter(entry -> !entry.getValue().tooMany).toList();
      if (places.size() <= limits.most()) {
        return true;
      }
      var last = toYield(places, now);
      if (last == null) {
        return false;
      }
      // Whoever removes it has its place.
      if (cut(last)) {
        lastYielded = last.remoteAddress();
        yielded.incrementAndGet();
        return true;
      }
    }
  }

  /**
   * The one furthest behind of those that nobody knows. Where none of them is behind, one by which
   * reviews came, unless these have no more than half of the places: whatever others do, the API
   * servers keep so many.
   */
  private @Nullable HttpConnection toYield(List<Map.Entry<HttpConnection, Held>> places, long now) {
    var late =
        places.stream()
            .map(place -> late(place.getKey(), place.getValue(), now))
            .filter(one -> one.by() > 0)
            .toList();
    var stranger = furthest(late, one -> !one.isKnown());
    if (stranger != null) {
      return stranger;
    }
    var known = places.stream().filter(place -> place.getValue().isKnown).count();
    return known > limits.most() / 2 ? furthest(late, Late::isKnown) : null;
  }

  private static Late late(HttpConnection connection, Held one, long now) {
    return new Late(connection, one.isKnown, one.pace.behind(now));
  }

  private static @Nullable HttpConnection furthest(List<Late> late, Predicate<Late> which) {
    return late.stream()
        .filter(which)
        .max(Comparator.comparingLong(Late::by))
        .map(Late::connection)
        .orElse(null);
  }

  /**
   * Closes a connection without waiting until its client has read what was answered, as closing it
   * would in Vert.x, and without a last word of TLS, which would wait for the same.
   *
   * @return whether this is who did it
   */
  private boolean cut(HttpConnection connection) {
    if (held.remove(connection) == null) {
      return false;
    }
    var context = ((HttpServerConnection) connection).channelHandlerContext();
    context.channel().eventLoop().execute(() -> closeAtOnce(context.pipeline().firstContext()));
    return true;
  }

  private static void closeAtOnce(@Nullable ChannelHandlerContext first) {
    if (first != null) {
      var _ = first.close();
    }
  }
}
