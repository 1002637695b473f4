package dev.shipshape.webhook.admission;

import dev.shipshape.webhook.identity.LargeObjects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.PlatformHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the endpoints over HTTP. */
public final class AdmissionRoutes {
  private static final Logger logger = LoggerFactory.getLogger(AdmissionRoutes.class);

  /** Two objects of the API server's limit (3 MiB each) and 1 MiB for the rest. */
  static final int BODY_LIMIT = 7 * 1024 * 1024;

  /** Bytes that an event loop can process in a few milliseconds. */
  static final int MAX_SMALL_BODY = 64 * 1024;

  private static final int TOO_LARGE = 413;
  private static final String DEADLINE = "deadline";
  private static final String RESERVED = "reserved";

  /** The API server retries a failed call after this time, within the deadline of the write. */
  private static final String RETRY_AFTER_SECONDS = "1";

  private final Vertx vertx;
  private final AdmissionMetrics metrics;
  private final BooleanSupplier draining;
  private final BodyBudget budget;
  private final WorkerExecutor workers;

  private AdmissionRoutes(
      Vertx vertx, AdmissionMetrics metrics, BooleanSupplier draining, BodyBudget budget) {
    this.vertx = vertx;
    this.metrics = metrics;
    this.draining = draining;
    this.budget = budget;
    // Closed with Vert.x.
    this.workers =
        vertx.createSharedWorkerExecutor("decision", Runtime.getRuntime().availableProcessors());
  }

  /**
   * Returns a router for these endpoints.
   *
   * @param draining whether the server is shutting down, so that the next call must use another
   *     replica
   */
  public static Router router(
      Vertx vertx,
      Collection<AdmissionEndpoint> endpoints,
      AdmissionMetrics metrics,
      BooleanSupplier draining,
      BodyBudget budget) {
    var routes = new AdmissionRoutes(vertx, metrics, draining, budget);
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

  private void handleHead(AdmissionEndpoint endpoint, RoutingContext call) {
    var request = call.request();
    var began = System.nanoTime();
    var deadline = Deadline.of(request.query(), began);
    var timer =
        vertx.setTimer(deadline.millisUntilCancelled(began), fired -> request.connection().close());
    var reserved = new AtomicLong(budget.reserve(request.getHeader(HttpHeaders.CONTENT_LENGTH)));
    call.addEndHandler(
        over -> {
          budget.release(reserved.getAndSet(0));
          // After a refusal at the head, the body still arrives.
          var ended = request.isEnded() ? Future.succeededFuture() : request.end();
          ended.onComplete(done -> vertx.cancelTimer(timer));
          metrics.recordDuration(endpoint.endpoint(), Duration.ofNanos(System.nanoTime() - began));
        });
    if (reserved.get() < 0) {
      throw new Refused(Reason.OVERLOADED, "too many bodies at once");
    }
    call.put(DEADLINE, deadline);
    call.put(RESERVED, reserved);
    call.next();
  }

  /** Handles a body; on a worker thread unless it is small. */
  private void respond(AdmissionEndpoint endpoint, RoutingContext call) {
    var received = call.body().buffer();
    var body = received == null ? new byte[0] : received.getBytes();
    var deadline = Objects.requireNonNull(call.<Deadline>get(DEADLINE));
    if (body.length <= MAX_SMALL_BODY) {
      send(call, respond(endpoint, deadline, body));
    } else {
      // Keep the reservation until the work is done, even if the client disconnects.
      var held = Objects.requireNonNull(call.<AtomicLong>get(RESERVED)).getAndSet(0);
      try {
        workers
            .executeBlocking(
                () -> LargeObjects.oneAtATime(body.length, () -> respond(endpoint, deadline, body)),
                false)
            .onComplete(done -> budget.release(held))
            .onSuccess(result -> send(call, result))
            .onFailure(call::fail);
      } catch (Throwable e) {
        // No thread could be made for it.
        budget.release(held);
        throw e;
      }
    }
  }

  private static HttpResponse respond(AdmissionEndpoint endpoint, Deadline deadline, byte[] body) {
    return deadline.isTooLate(System.nanoTime())
        ? endpoint.refuse(new Refused(Reason.OVERLOADED, "too busy to respond in time"))
        : endpoint.respond(body);
  }

  /** Responds after any error; never allows. */
  private void fail(AdmissionEndpoint endpoint, RoutingContext call) {
    var failure = call.failure();
    if (call.response().closed() || failure instanceof IOException) {
      logger.debug("the connection of a call to {} was closed", call.request().path(), failure);
    } else if (failure instanceof Refused refused) {
      send(call, endpoint.refuse(refused));
    } else if (call.statusCode() == TOO_LARGE) {
      var problem = "the body is larger than %d bytes".formatted(BODY_LIMIT);
      send(call, endpoint.refuse(new Refused(Reason.TOO_LARGE, problem)));
    } else {
      logger.error("could not respond to a call to {}", call.request().path(), failure);
      var problem = "internal error; see the webhook's log";
      send(call, endpoint.refuse(new Refused(Reason.INTERNAL_ERROR, problem)));
    }
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
