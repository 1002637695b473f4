package dev.shipshape.webhook.admission;

import dev.shipshape.webhook.identity.HeapShare;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One endpoint: a body to a request, to a response, to an answer. */
public final class AdmissionEndpoint {
  /** About what a few milliseconds of an event loop can bear. */
  static final int LARGE = 64 * 1024;

  private static final Logger logger = LoggerFactory.getLogger(AdmissionEndpoint.class);

  private final Endpoint endpoint;
  private final AdmissionHandler handler;
  private final AdmissionMetrics metrics;
  private final List<ResponseListener> listeners;
  private final LogLimiter limiter = new LogLimiter(System::nanoTime);

  /**
   * Decides by the handler, and tells the listeners.
   *
   * @param metrics where calls are counted
   */
  public AdmissionEndpoint(
      Endpoint endpoint,
      AdmissionHandler handler,
      AdmissionMetrics metrics,
      List<ResponseListener> listeners) {
    this.endpoint = endpoint;
    this.handler = handler;
    this.metrics = metrics;
    this.listeners = List.copyOf(listeners);
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** Decode, decide, encode. Whatever the body is, there is an answer, and no mistake allows. */
  public HttpAnswer answer(byte[] body) {
    return switch (ReviewDecoder.decode(body)) {
      case Decoded.Request(var request) -> {
        var response = decide(request);
        tell(request, response);
        yield ReviewEncoder.encode(endpoint, request.uid(), response);
      }
      case Decoded.Malformed(var uid, var problem) -> refuse(uid, Reason.BAD_REQUEST, problem);
    };
  }

  /**
   * Refuses a call that is not decoded; what can be answered later is asked for again.
   *
   * @param uid the call's; null where it is not known
   */
  HttpAnswer refuse(@Nullable String uid, Reason reason, String problem) {
    logger.info(
        "rejected a call to {} (uid {}): {}",
        endpoint.path(),
        uid == null ? "unknown" : LogLimiter.line(uid),
        LogLimiter.line(problem));
    metrics.counted(endpoint, null, reason);
    return ReviewEncoder.encode(endpoint, uid, AdmissionResponse.reject(reason, problem));
  }

  private AdmissionResponse decide(AdmissionRequest request) {
    try {
      var bytes = largest(request, RawObject::bytes);
      return bytes < LARGE
          ? handler.handle(request)
          : HeapShare.using(
              bytes, largest(request, RawObject::tokens), () -> handler.handle(request));
    } catch (UnreadableObject e) {
      return AdmissionResponse.reject(Reason.BAD_REQUEST, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      logger.error("could not decide about {} (uid {})", subject(request), uid(request), e);
      return AdmissionResponse.reject(
          Reason.INTERNAL_ERROR,
          "internal error; the webhook's log has it with uid " + uid(request));
    }
  }

  /** What is too large to be judged is not hashed. */
  private static int largest(AdmissionRequest request, ToIntFunction<RawObject> size) {
    return Stream.of(request.written(), request.oldObject())
        .filter(RawObject::isReadable)
        .mapToInt(size)
        .max()
        .orElse(0);
  }

  /** What goes wrong in the telling changes no answer. */
  private void tell(AdmissionRequest request, AdmissionResponse response) {
    try {
      log(request, response);
      metrics.counted(endpoint, request.operation(), response.reason());
      listeners.forEach(listener -> listener.responded(request, response));
    } catch (RuntimeException e) {
      logger.error("could not tell the response to {}", subject(request), e);
    }
  }

  private void log(AdmissionRequest request, AdmissionResponse response) {
    switch (response) {
      case AdmissionResponse.Rejected(var reason, var message, _) ->
          log(reason.passes() ? "postponed" : "denied", request, reason, message);
      // What the audit log is told met something known invalid.
      case AdmissionResponse.Allowed(var reason, _, var annotations)
          when !annotations.isEmpty() || reason.decision() != Reason.Decision.ALLOWED ->
          log("allowed", request, reason, reason.word() + " " + annotations);
      case AdmissionResponse.Allowed _, AdmissionResponse.Patched _ -> {
        if (logger.isDebugEnabled()) {
          logger.debug("allowed {}: {}", subject(request), response.reason());
        }
      }
    }
  }

  /** One line; of what comes again and again the first, and then one a minute. */
  private void log(String verb, AdmissionRequest request, Reason reason, String why) {
    var what = verb + " " + subject(request) + " to " + LogLimiter.line(request.user());
    limiter
        .log(what + " " + reason)
        .ifPresent(
            more ->
                logger.info(
                    "{} (uid {}{}): {}",
                    what,
                    uid(request),
                    more == 0 ? "" : ", and %d times before within a minute".formatted(more),
                    LogLimiter.line(why)));
  }

  private static String uid(AdmissionRequest request) {
    return LogLimiter.line(request.uid());
  }

  private static String subject(AdmissionRequest request) {
    return LogLimiter.line(request.operation() + " of " + request.subject());
  }
}
