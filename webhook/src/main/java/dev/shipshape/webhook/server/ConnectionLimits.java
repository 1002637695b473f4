package dev.shipshape.webhook.server;

import dev.shipshape.webhook.admission.LogLimiter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections of clients that may not call, before anything is read of them. Bounds how many
 * connections there are, and how long a new one may take to its first request. Further bounds are
 * Vert.x's own: of the handshake, of a head's size, and of idle time.
 */
final class ConnectionLimits {
  private static final Logger logger = LoggerFactory.getLogger(ConnectionLimits.class);

  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  private final int most;
  private final Duration firstRequest;
  private final @Nullable ClientCertificates clients;
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();

  /** The timers of connections without a request yet. */
  private final Map<HttpConnection, Long> silent = new ConcurrentHashMap<>();

  private final LogLimiter limiter = new LogLimiter(System::nanoTime);

  /**
   * @param clients who may call; null for anybody
   */
  ConnectionLimits(int most, Duration firstRequest, @Nullable ClientCertificates clients) {
    this.most = most;
    this.firstRequest = firstRequest;
    this.clients = clients;
  }

  int count() {
    return open.size();
  }

  /** The handshake is over. */
  void opened(Vertx vertx, HttpConnection connection) {
    var objection = objectionTo(connection);
    if (objection.isPresent()) {
      limiter
          .log(objection.get())
          .ifPresent(
              more ->
                  logger.warn(
                      "closed a connection from {}: {}",
                      connection.remoteAddress(),
                      objection.get()));
      connection.close();
      return;
    }
    open.add(connection);
    silent.put(connection, vertx.setTimer(firstRequest.toMillis(), fired -> connection.close()));
    connection.closeHandler(
        closed -> {
          open.remove(connection);
          requested(vertx, connection);
        });
  }

  private Optional<String> objectionTo(HttpConnection connection) {
    if (open.size() >= most) {
      return Optional.of("there are %d already (connections)".formatted(most));
    }
    return clients == null ? Optional.empty() : clients.objectionTo(connection);
  }

  /** Whether requests of this connection are served. */
  boolean accepts(HttpConnection connection) {
    return open.contains(connection);
  }

  /** A whole head has come. */
  void requested(Vertx vertx, HttpConnection connection) {
    var timer = silent.remove(connection);
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  /** Closes those that are open, each with the answer that is due. */
  void closeAll() {
    open.forEach(connection -> connection.shutdown(LAST_ANSWERS));
  }
}
