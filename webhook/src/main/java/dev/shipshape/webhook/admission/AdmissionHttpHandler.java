package dev.shipshape.webhook.admission;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the endpoints over HTTP. */
public final class AdmissionHttpHandler implements Handler<HttpServerRequest> {
  private static final Logger logger = LoggerFactory.getLogger(AdmissionHttpHandler.class);
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  /** The API server sends a call that failed again after so long, within the call's deadline. */
  private static final String RETRY_AFTER_SECONDS = "1";

  private final Vertx vertx;
  private final Map<String, AdmissionEndpoint> endpoints = new TreeMap<>();
  private final AdmissionMetrics metrics;
  private final BooleanSupplier draining;
  private final BodyBudget budget;
  private final WorkerExecutor workers;

  /**
   * Serves these endpoints.
   *
   * @param budget of all bodies
   * @param draining whether the server is about to end, so that the next call is to go elsewhere
   */
  public AdmissionHttpHandler(
      Vertx vertx,
      Collection<AdmissionEndpoint> endpoints,
      AdmissionMetrics metrics,
      BooleanSupplier draining,
      BodyBudget budget) {
    this.vertx = vertx;
    endpoints.forEach(endpoint -> this.endpoints.put(endpoint.endpoint().path(), endpoint));
    this.metrics = metrics;
    this.draining = draining;
    this.budget = budget;
    // Closed with Vert.x.
    this.workers =
        vertx.createSharedWorkerExecutor("decision", Runtime.getRuntime().availableProcessors());
  }

  /**
   * The whole way of a call: head, body, decode, decide, encode, answer. A caller that has given up
   * by its deadline is cut off.
   */
  @Override
  public void handle(HttpServerRequest request) {
    var endpoint = endpoints.get(request.path());
    if (endpoint == null) {
      end(request, 404, "served here: %s".formatted(String.join(", ", endpoints.keySet())));
    } else if (!request.method().equals(HttpMethod.POST)) {
      request.response().putHeader("Allow", "POST");
      end(request, 405, "admission calls are POST requests");
    } else {
      var began = System.nanoTime();
      var deadline = Deadline.of(request.query(), began);
      var timer = vertx.setTimer(deadline.untilOver(began), fired -> request.connection().close());
      var body = new RequestBody(request, budget);
      body.receive()
          .compose(received -> answer(endpoint, request, deadline, received))
          .onSuccess(answer -> send(request, answer))
          // The client has gone, or has not sent everything in time.
          .onFailure(failure -> logger.debug("a call to {} broke off", request.path(), failure))
          .onComplete(
              over -> {
                vertx.cancelTimer(timer);
                body.release();
                metrics.took(endpoint.endpoint(), Duration.ofNanos(System.nanoTime() - began));
              });
    }
  }

  private Future<HttpAnswer> answer(
      AdmissionEndpoint endpoint,
      HttpServerRequest request,
      Deadline deadline,
      RequestBody.Received received) {
    return switch (received) {
      case RequestBody.Received.NoRoom() ->
          answered(endpoint.refuse(null, Reason.OVERLOADED, "too many bodies at once"));
      case RequestBody.Received.TooLarge(var beginning) ->
          answered(
              endpoint.refuse(
                  ReviewDecoder.uidOf(beginning),
                  Reason.TOO_LARGE,
                  "the body is larger than %d bytes".formatted(RequestBody.LIMIT)));
      case RequestBody.Received.Whole(var body) -> {
        var unsupported = unsupported(request);
        yield body.length < AdmissionEndpoint.LARGE
            ? answered(answer(endpoint, deadline, unsupported, body))
            : workers.executeBlocking(() -> answer(endpoint, deadline, unsupported, body), false);
      }
    };
  }

  private static Future<HttpAnswer> answered(HttpAnswer answer) {
    return Future.succeededFuture(answer);
  }

  private static HttpAnswer answer(
      AdmissionEndpoint endpoint, Deadline deadline, @Nullable String unsupported, byte[] body) {
    if (deadline.leavesNoTime(System.nanoTime())) {
      return endpoint.refuse(null, Reason.OVERLOADED, "too busy to answer in time");
    }
    return unsupported == null
        ? endpoint.answer(body)
        : endpoint.refuse(ReviewDecoder.uidOf(body), Reason.UNSUPPORTED_TYPE, unsupported);
  }

  private static @Nullable String unsupported(HttpServerRequest request) {
    var type = Objects.requireNonNullElse(request.getHeader("Content-Type"), "none");
    if (!type.split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
      return "the content type must be %s, is %s".formatted(JSON, type);
    }
    var encoding = request.getHeader("Content-Encoding");
    return encoding == null || encoding.equalsIgnoreCase("identity")
        ? null
        : "the content encoding %s is not read here".formatted(encoding);
  }

  private void send(HttpServerRequest request, HttpAnswer answer) {
    var response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    response.setStatusCode(answer.status()).putHeader("Content-Type", answer.contentType());
    if (draining.getAsBoolean() || answer.elsewhere()) {
      // The API server's next call is to go to another replica.
      response.putHeader("Connection", "close");
    }
    if (answer.retry()) {
      response.putHeader("Retry-After", RETRY_AFTER_SECONDS);
    }
    response.end(Buffer.buffer(answer.body()));
  }

  private static void end(HttpServerRequest request, int status, String message) {
    request.response().setStatusCode(status).putHeader("Content-Type", TEXT).end(message + "\n");
  }
}
