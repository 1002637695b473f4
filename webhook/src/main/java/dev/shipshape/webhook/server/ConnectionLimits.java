package dev.shipshape.webhook.server;

import dev.shipshape.service.LogLimiter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of connections and the time to the first request. Vert.x itself limits the
 * handshake, the size of a request head and idle time.
 */
final class ConnectionLimits {
  private static final Logger logger = LoggerFactory.getLogger(ConnectionLimits.class);

  private static final Duration LAST_RESPONSES_TIMEOUT = Duration.ofSeconds(5);

  private final int max;
  private final Duration firstRequest;
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();

  /** Timers of connections that have not sent a request yet. */
  private final Map<HttpConnection, Long> firstRequestTimers = new ConcurrentHashMap<>();

  private final LogLimiter limiter = new LogLimiter(Duration.ofMinutes(1), System::nanoTime);

  ConnectionLimits(int max, Duration firstRequest) {
    this.max = max;
    this.firstRequest = firstRequest;
  }

  int count() {
    return open.size();
  }

  void onOpen(Vertx vertx, HttpConnection connection) {
    if (open.size() >= max) {
      if (limiter.isDue("too many")) {
        logger.warn(
            "closed a connection from {}: there are {} already (connections)",
            connection.remoteAddress(),
            max);
      }
      connection.close();
      return;
    }
    open.add(connection);
    firstRequestTimers.put(
        connection, vertx.setTimer(firstRequest.toMillis(), fired -> connection.close()));
    connection.closeHandler(
        closed -> {
          open.remove(connection);
          onRequest(vertx, connection);
        });
  }

  boolean accepts(HttpConnection connection) {
    return open.contains(connection);
  }

  void onRequest(Vertx vertx, HttpConnection connection) {
    var timer = firstRequestTimers.remove(connection);
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  /** Closes all connections after their pending responses. */
  void closeAll() {
    open.forEach(connection -> connection.shutdown(LAST_RESPONSES_TIMEOUT));
  }
}
