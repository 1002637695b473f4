package dev.shipshape.webhook.admission;

import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One endpoint: a body to a request, to a decision, to an answer. */
public final class AdmissionEndpoint {
  private static final Logger logger = LoggerFactory.getLogger(AdmissionEndpoint.class);

  private static final int OK = 200;

  private final Endpoint endpoint;
  private final AdmissionHandler handler;
  private final AdmissionMetrics metrics;
  private final List<BiConsumer<AdmissionRequest, Decision>> listeners;
  private final LogLimiter limiter = new LogLimiter(System::nanoTime);

  /**
   * @param metrics where calls are counted
   * @param listeners told each decision, on the way of the call: must return at once
   */
  public AdmissionEndpoint(
      Endpoint endpoint,
      AdmissionHandler handler,
      AdmissionMetrics metrics,
      List<BiConsumer<AdmissionRequest, Decision>> listeners) {
    this.endpoint = endpoint;
    this.handler = handler;
    this.metrics = metrics;
    this.listeners = List.copyOf(listeners);
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /**
   * Read, decide, report, write. Whatever the body is, there is an answer, and no mistake allows.
   */
  public HttpAnswer answer(byte[] body) {
    try {
      var request = AdmissionReview.read(body);
      var decision = decide(request);
      report(request, decision);
      return answer(request.uid(), decision);
    } catch (Refused e) {
      return refuse(e);
    }
  }

  /**
   * Answers a call whose request is not known; of those that come again and again, one is logged.
   */
  HttpAnswer refuse(Refused refused) {
    limiter
        .log(String.valueOf(refused.reason()))
        .ifPresent(
            more ->
                logger.info(
                    "refused a call to {}{}: {}",
                    endpoint.path(),
                    times(more),
                    LogLimiter.line(refused.message())));
    metrics.counted(endpoint, null, refused.reason());
    return error(Decision.of(refused.reason(), refused.message()));
  }

  private Decision decide(AdmissionRequest request) {
    try {
      return handler.decide(request);
    } catch (RuntimeException e) {
      logger.error("could not decide about {} (uid {})", subject(request), uid(request), e);
      return Decision.of(
          Reason.INTERNAL_ERROR,
          "internal error; the webhook's log has it with uid " + uid(request));
    }
  }

  /** A listener that fails changes no answer. */
  private void report(AdmissionRequest request, Decision decision) {
    try {
      log(request, decision);
      metrics.counted(endpoint, request.operation(), decision.reason());
      listeners.forEach(listener -> listener.accept(request, decision));
    } catch (RuntimeException e) {
      logger.error("could not report the decision about {}", subject(request), e);
    }
  }

  /**
   * A complete AdmissionReview, which the API server takes as the last word; or an HTTP error,
   * which it takes as a call that failed: for what may be tried again, and for what is rejected
   * where nothing is denied.
   */
  private HttpAnswer answer(String uid, Decision decision) {
    var reason = decision.reason();
    return reason.rejects() && (reason.isRetryable() || !endpoint.denies())
        ? error(decision)
        : new HttpAnswer(
            OK,
            "application/json",
            AdmissionReview.write(uid, decision),
            false,
            // Each proof is to come by a connection of its own, to whichever replica.
            endpoint == Endpoint.PROOF);
  }

  private static HttpAnswer error(Decision decision) {
    var reason = decision.reason();
    return new HttpAnswer(
        reason.code(),
        "text/plain; charset=utf-8",
        decision.message() + "\n",
        reason.isRetryable(),
        // Another replica may know; by a connection that stays the next try would come here again.
        reason == Reason.NOT_READY);
  }

  /** One line; of what comes again and again the first, and then one a minute. */
  private void log(AdmissionRequest request, Decision decision) {
    var reason = decision.reason();
    if (decision.audit().isEmpty() && reason.isPlain()) {
      logger.debug("allowed {}: {}", request.uid(), reason);
      return;
    }
    var verb = !reason.rejects() ? "allowed" : reason.isRetryable() ? "postponed" : "denied";
    var what = "%s %s to %s".formatted(verb, subject(request), LogLimiter.line(request.user()));
    var why = reason.rejects() ? decision.message() : reason.label() + " " + decision.audit();
    limiter
        .log(what + " " + reason)
        .ifPresent(
            more -> {
              var event =
                  logger
                      .atInfo()
                      .addKeyValue("reason", reason.label())
                      .addKeyValue("operation", request.operation())
                      .addKeyValue("object", LogLimiter.line(request.subject()))
                      .addKeyValue("uid", uid(request))
                      .addKeyValue("user", LogLimiter.line(request.user()))
                      .addKeyValue("dryRun", request.dryRun());
              for (var entry : decision.audit().entrySet()) {
                event = event.addKeyValue(entry.getKey(), entry.getValue());
              }
              event.log("{} (uid {}{}): {}", what, uid(request), times(more), LogLimiter.line(why));
            });
  }

  private static String times(int more) {
    return more == 0 ? "" : ", and %d times before within a minute".formatted(more);
  }

  private static String uid(AdmissionRequest request) {
    return LogLimiter.line(request.uid());
  }

  private static String subject(AdmissionRequest request) {
    return LogLimiter.line(request.operation() + " of " + request.subject());
  }
}
