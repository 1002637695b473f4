package dev.shipshape.webhook.admission;

import dev.shipshape.webhook.identity.LargeObjects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.PlatformHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the endpoints over HTTP. */
public final class AdmissionRoutes {
  private static final Logger logger = LoggerFactory.getLogger(AdmissionRoutes.class);

  /** Two objects of the API server's limit (3 MiB each) and 1 MiB for the rest. */
  static final int BODY_LIMIT = 7 * 1024 * 1024;

  /** Bytes that an event loop can process in a few milliseconds. */
  static final int MAX_SMALL_BODY = 64 * 1024;

  /** The part of the memory for bodies that large ones leave free: about 80 of usual size. */
  private static final int SMALL_BODY_RESERVE = 2 * 1024 * 1024;

  /** A tree needs several times the memory of its body. */
  private static final int SHARE_OF_HEAP = 6;

  /** Bytes of the tree of a body that need not wait for others (512 KiB), all of it objects. */
  private static final int LARGEST_TREE = 14 * 1024 * 1024;

  /** The same for a small body. */
  private static final int LARGEST_SMALL_TREE = 2 * 1024 * 1024;

  private static final int TOO_LARGE = 413;
  private static final String DEADLINE = "deadline";
  private static final String RESERVED = "reserved";

  /** The API server retries a failed call after this time, within the deadline of the write. */
  private static final String RETRY_AFTER_SECONDS = "1";

  private final Vertx vertx;
  private final AdmissionMetrics metrics;
  private final BooleanSupplier draining;

  /** The bytes for the bodies of all calls, from request head to response. */
  private final Semaphore memory;

  private final WorkerExecutor workers;

  private AdmissionRoutes(
      Vertx vertx, AdmissionMetrics metrics, BooleanSupplier draining, int bodyMemory) {
    this.vertx = vertx;
    this.metrics = metrics;
    this.draining = draining;
    this.memory = new Semaphore(bodyMemory);
    // Closed with Vert.x.
    this.workers = vertx.createSharedWorkerExecutor("decision", workers());
  }

  /**
   * Returns a router for these endpoints.
   *
   * @param draining whether the server is shutting down, so that the next call must use another
   *     replica
   * @param bodyMemory bytes for the bodies of all calls
   */
  public static Router router(
      Vertx vertx,
      Collection<AdmissionEndpoint> endpoints,
      AdmissionMetrics metrics,
      BooleanSupplier draining,
      int bodyMemory) {
    var routes = new AdmissionRoutes(vertx, metrics, draining, bodyMemory);
    var router = Router.router(vertx);
    for (var endpoint : endpoints) {
      router
          .post(endpoint.endpoint().path())
          .consumes("application/json")
          .handler((PlatformHandler) call -> routes.handleHead(endpoint, call))
          .handler(BodyHandler.create(false).setBodyLimit(BODY_LIMIT))
          .handler(call -> routes.respond(endpoint, call))
          .failureHandler(call -> routes.fail(endpoint, call));
    }
    return router;
  }

  /**
   * A share of the heap, in bytes; at least 16 MiB: the buffer of a body of maximum size, and
   * others.
   */
  public static int bodyMemory() {
    return Math.clamp(
        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP,
        2 * BODY_LIMIT + SMALL_BODY_RESERVE,
        Integer.MAX_VALUE);
  }

  /** The event loops: each may hold the tree of a small body. */
  public static int eventLoops() {
    return threads(LARGEST_SMALL_TREE);
  }

  /** The threads that judge large bodies. */
  public static int workers() {
    return threads(LARGEST_TREE);
  }

  /** One for each processor, of which a node may have many; no more than the heap has room for. */
  private static int threads(int largestTree) {
    var runtime = Runtime.getRuntime();
    return Math.clamp(runtime.maxMemory() / (3L * largestTree), 1, runtime.availableProcessors());
  }

  private void handleHead(AdmissionEndpoint endpoint, RoutingContext call) {
    var request = call.request();
    var began = System.nanoTime();
    var deadline = Deadline.of(request.query(), began);
    var timer =
        vertx.setTimer(deadline.millisUntilCancelled(began), fired -> request.connection().close());
    var reserved = new AtomicInteger();
    call.addEndHandler(
        over -> {
          memory.release(reserved.getAndSet(0));
          ended(request).onComplete(done -> vertx.cancelTimer(timer));
          metrics.recordDuration(endpoint.endpoint(), Duration.ofNanos(System.nanoTime() - began));
        });
    reserved.set(reserve(request.getHeader(HttpHeaders.CONTENT_LENGTH)));
    call.put(DEADLINE, deadline);
    call.put(RESERVED, reserved);
    call.next();
  }

  /**
   * Reserves memory for the buffer of a body, and returns the reserved bytes.
   *
   * @param length the Content-Length header; null if missing. The API server always sends it
   */
  private int reserve(@Nullable String length) {
    var bytes =
        length == null || !length.matches("\\d{1,7}")
            ? BODY_LIMIT
            : Math.min(BODY_LIMIT, Integer.parseInt(length));
    var isSmall = bytes <= MAX_SMALL_BODY;
    // The buffer of a large one is doubled until the body fits.
    var buffer = isSmall ? bytes : Integer.highestOneBit(bytes) * 2;
    var leftFree = isSmall ? 0 : SMALL_BODY_RESERVE;
    if (!memory.tryAcquire(buffer + leftFree)) {
      throw new Refused(Reason.OVERLOADED, "too many bodies at once");
    }
    memory.release(leftFree);
    return buffer;
  }

  /** Handles a body; on a worker thread unless it is small. */
  private void respond(AdmissionEndpoint endpoint, RoutingContext call) {
    var received = call.body().buffer();
    var body = received == null ? Buffer.buffer() : received;
    var deadline = Objects.requireNonNull(call.<Deadline>get(DEADLINE));
    if (body.length() <= MAX_SMALL_BODY) {
      send(call, respond(endpoint, deadline, body));
    } else {
      // Keep the reservation until the work is done, even if the client disconnects.
      var held = Objects.requireNonNull(call.<AtomicInteger>get(RESERVED)).getAndSet(0);
      try {
        workers
            .executeBlocking(
                () ->
                    LargeObjects.oneAtATime(body.length(), () -> respond(endpoint, deadline, body)),
                false)
            .onComplete(done -> memory.release(held))
            .onSuccess(result -> send(call, result))
            .onFailure(call::fail);
      } catch (Throwable e) {
        // No thread could be made for it.
        memory.release(held);
        throw e;
      }
    }
  }

  /** Copies the body only now, so that those that wait their turn are held once. */
  private static HttpResponse respond(AdmissionEndpoint endpoint, Deadline deadline, Buffer body) {
    return deadline.isTooLate(System.nanoTime())
        ? endpoint.refuse(new Refused(Reason.OVERLOADED, "too busy to respond in time"))
        : endpoint.respond(body.getBytes());
  }

  /** Responds after any error; never allows. */
  private void fail(AdmissionEndpoint endpoint, RoutingContext call) {
    var failure = call.failure();
    if (call.response().closed() || failure instanceof IOException) {
      logger.debug("the connection of a call to {} was closed", call.request().path(), failure);
    } else if (failure instanceof Refused refused) {
      // At the head, its body still arrives, and a connection closed before that loses the
      // response.
      ended(call.request()).onComplete(done -> send(call, endpoint.refuse(refused)));
    } else if (call.statusCode() == TOO_LARGE) {
      var problem = "the body is larger than %d bytes".formatted(BODY_LIMIT);
      send(call, endpoint.refuse(new Refused(Reason.TOO_LARGE, problem)));
    } else {
      logger.error("could not respond to a call to {}", call.request().path(), failure);
      var problem = "internal error; see the webhook's log";
      send(call, endpoint.refuse(new Refused(Reason.INTERNAL_ERROR, problem)));
    }
  }

  private static Future<?> ended(HttpServerRequest request) {
    return request.isEnded() ? Future.succeededFuture() : request.end();
  }

  private void send(RoutingContext call, HttpResponse result) {
    var response = call.response();
    if (response.ended() || response.closed()) {
      return;
    }
    response.setStatusCode(result.status()).putHeader("Content-Type", "application/json");
    if (draining.getAsBoolean() || result.closesConnection()) {
      // The API server's next call must use another replica.
      response.putHeader("Connection", "close");
    }
    if (result.isRetryable()) {
      response.putHeader("Retry-After", RETRY_AFTER_SECONDS);
    }
    response.end(result.body());
  }
}
