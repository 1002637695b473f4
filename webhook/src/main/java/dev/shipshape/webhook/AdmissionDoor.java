package dev.shipshape.webhook;

import dev.shipshape.webhook.review.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Routes HTTP requests to the entries, and what is no admission call to an error. */
final class AdmissionDoor {
  private static final String JSON = "application/json";

  /**
   * What is to be answered.
   *
   * @param understood told where it is a review that can be read
   */
  private record Call(
      AdmissionEntry entry, HttpServerRequest request, Deadline deadline, Runnable understood) {}

  private final Vertx vertx;
  private final List<AdmissionEntry> entries;
  private final AdmissionMetrics metrics;
  private final DecisionWorkers workers;
  private final BooleanSupplier draining;
  private final BodyRoom room;

  AdmissionDoor(
      Vertx vertx,
      List<AdmissionEntry> entries,
      AdmissionMetrics metrics,
      DecisionWorkers workers,
      BooleanSupplier draining) {
    this(vertx, entries, metrics, workers, draining, BodyRoom.ofHeap());
  }

  AdmissionDoor(
      Vertx vertx,
      List<AdmissionEntry> entries,
      AdmissionMetrics metrics,
      DecisionWorkers workers,
      BooleanSupplier draining,
      BodyRoom room) {
    this.vertx = vertx;
    this.entries = List.copyOf(entries);
    this.metrics = metrics;
    this.workers = workers;
    this.draining = draining;
    this.room = room;
  }

  /**
   * For one listener, on its event loop.
   *
   * @param connections the listener's
   * @param backlog the event loop's
   */
  Router router(Connections connections, Backlog backlog) {
    var router = Router.router(vertx);
    for (var entry : entries) {
      var path = entry.entry().path();
      router.post(path).handler(context -> receive(entry, context.request(), connections, backlog));
      router.route(path).handler(AdmissionDoor::onlyPost);
    }
    router.errorHandler(404, this::notFound);
    return router;
  }

  private void receive(
      AdmissionEntry entry, HttpServerRequest request, Connections connections, Backlog backlog) {
    var began = System.nanoTime();
    var deadline = Deadline.of(request.query(), backlog.arrival(began));
    var pace = connections.paceOf(request.connection());
    pace.begin(began);
    request
        .response()
        .endHandler(
            ended -> {
              var now = System.nanoTime();
              pace.begin(now);
              metrics.took(entry.entry(), Duration.ofNanos(now - began));
            });
    RequestBody.receive(
        vertx,
        request,
        room,
        pace,
        connections.limits().body(),
        received -> {
          pace.awaitAnswer(System.nanoTime());
          var objection = connections.objectionTo(request.connection());
          if (objection == null) {
            Runnable understood = () -> connections.understood(request.connection());
            answer(new Call(entry, request, deadline, understood), received);
          } else {
            turnAway(entry, request, objection, received);
          }
        });
  }

  private void turnAway(
      AdmissionEntry entry,
      HttpServerRequest request,
      Connections.Objection objection,
      RequestBody.Received received) {
    if (received instanceof RequestBody.Received.Whole(var body)) {
      room.giveBack(body.length);
    }
    request.response().putHeader("Connection", "close");
    send(request, entry.turnAway(objection.refusal(), objection.why()));
  }

  private void answer(Call call, RequestBody.Received received) {
    var entry = call.entry();
    switch (received) {
      case RequestBody.Received.Whole(var body) -> answer(call, body);
      case RequestBody.Received.TooLarge(var beginning) ->
          send(
              call.request(),
              entry.refuse(
                  beginning,
                  Refusal.TOO_LARGE,
                  "the body is larger than %d bytes".formatted(RequestBody.LIMIT)));
      case RequestBody.Received.TooSlow(var beginning) ->
          send(
              call.request(),
              entry.refuse(beginning, Refusal.TOO_SLOW, "the body did not come in time"));
      case RequestBody.Received.NoRoom() ->
          send(call.request(), entry.turnAway(Refusal.OVERLOADED, "too many bodies at once"));
      case RequestBody.Received.Stalled() ->
          send(
              call.request(),
              entry.turnAway(
                  Refusal.STALLED,
                  "the body from %s stalled while there was no room for others"
                      .formatted(call.request().remoteAddress())));
    }
  }

  private void answer(Call call, byte[] body) {
    if (body.length >= DecisionWorkers.LARGE_BODY) {
      answerOnWorker(call, body);
      return;
    }
    try {
      send(call.request(), answer(call, unsupported(call.request()), body));
    } finally {
      room.giveBack(body.length);
    }
  }

  private static Answer answer(Call call, @Nullable String unsupported, byte[] body) {
    var entry = call.entry();
    if (call.deadline().leavesNoTime(System.nanoTime())) {
      return entry.turnAway(Refusal.OVERLOADED, "too busy to answer in time");
    }
    return unsupported == null
        ? entry.answer(body, call.understood())
        : entry.refuse(body, Refusal.UNSUPPORTED_TYPE, unsupported);
  }

  private void answerOnWorker(Call call, byte[] body) {
    var eventLoop = vertx.getOrCreateContext();
    var request = call.request();
    var unsupported = unsupported(request);
    var taken =
        workers.take(
            () -> {
              try {
                var answer = answer(call, unsupported, body);
                eventLoop.runOnContext(ignored -> send(request, answer));
              } finally {
                room.giveBack(body.length);
              }
            },
            call.deadline());
    if (!taken) {
      room.giveBack(body.length);
      send(request, call.entry().turnAway(Refusal.OVERLOADED, "too many large objects at once"));
    }
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

  private void send(HttpServerRequest request, Answer answer) {
    var response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    response.setStatusCode(answer.status()).putHeader("Content-Type", answer.contentType());
    if (draining.getAsBoolean() || answer.elsewhere()) {
      // The API server's next call is to go to another replica.
      response.putHeader("Connection", "close");
    }
    var retryAfter = answer.retryAfterSeconds();
    if (retryAfter != null) {
      response.putHeader("Retry-After", retryAfter.toString());
    }
    response
        .end(Buffer.buffer(answer.body()))
        .onComplete(
            sent -> {
              if (!request.isEnded()) {
                // What still comes will not be read.
                request.connection().close();
              }
            });
  }

  private static void onlyPost(RoutingContext context) {
    context
        .response()
        .setStatusCode(405)
        .putHeader("Allow", "POST")
        .putHeader("Content-Type", "text/plain; charset=utf-8")
        .end("admission calls are POST requests\n");
  }

  private void notFound(RoutingContext context) {
    var paths = entries.stream().map(entry -> entry.entry().path()).toList();
    context
        .response()
        .setStatusCode(404)
        .putHeader("Content-Type", "text/plain; charset=utf-8")
        .end("served here: %s\n".formatted(String.join(", ", paths)));
  }
}
