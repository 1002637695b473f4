package dev.shipshape.webhook.admission;

import dev.shipshape.service.LogLimiter;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One endpoint: decodes a body, decides, reports and encodes the response. */
public final class AdmissionEndpoint {
  private static final Logger logger = LoggerFactory.getLogger(AdmissionEndpoint.class);

  private static final int OK = 200;

  private final Endpoint endpoint;
  private final Function<AdmissionRequest, Decision> handler;
  private final AdmissionMetrics metrics;
  private final List<BiConsumer<AdmissionRequest, Decision>> listeners;
  private final LogLimiter limiter = new LogLimiter(Duration.ofMinutes(1), System::nanoTime);

  /** The listeners get each decision before the response is sent: they must return at once. */
  public AdmissionEndpoint(
      Endpoint endpoint,
      Function<AdmissionRequest, Decision> handler,
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

  /** Processes a call. Every body gets a response, and no error allows a write. */
  public HttpResponse respond(byte[] body) {
    try {
      var request = AdmissionReview.read(body);
      var decision = decide(request);
      report(request, decision);
      return response(request.uid(), decision);
    } catch (Refused e) {
      return refuse(e);
    }
  }

  /** Refuses a call without a decision. Repeated refusals are logged once a minute. */
  HttpResponse refuse(Refused refused) {
    if (limiter.isDue(String.valueOf(refused.reason()))) {
      logger.info("refused a call to {}: {}", endpoint.path(), LogLimiter.line(refused.message()));
    }
    metrics.count(endpoint, null, refused.reason());
    return response("", Decision.of(refused.reason(), refused.message()));
  }

  private Decision decide(AdmissionRequest request) {
    try {
      return handler.apply(request);
    } catch (RuntimeException e) {
      logger.error("could not decide about {} (uid {})", subject(request), uid(request), e);
      return Decision.of(
          Reason.INTERNAL_ERROR, "internal error; see the webhook's log for uid " + uid(request));
    }
  }

  /** A failing listener does not change the response. */
  private void report(AdmissionRequest request, Decision decision) {
    try {
      log(request, decision);
      metrics.count(endpoint, request.operation(), decision.reason());
      listeners.forEach(listener -> listener.accept(request, decision));
    } catch (RuntimeException e) {
      logger.error("could not report the decision about {}", subject(request), e);
    }
  }

  /**
   * Returns a complete AdmissionReview, which the API server treats as final; or an HTTP error,
   * which it treats as a failed call: without a uid, if a retry may succeed, and for rejections on
   * endpoints that do not deny.
   */
  private HttpResponse response(String uid, Decision decision) {
    var reason = decision.reason();
    var isFinal =
        !uid.isEmpty() && (!reason.rejects() || (endpoint.denies() && !reason.isRetryable()));
    return new HttpResponse(
        isFinal ? OK : reason.code(),
        isFinal ? AdmissionReview.write(uid, decision) : AdmissionReview.writeError(decision),
        // A warning is not worth a wait.
        reason.isRetryable() && endpoint != Endpoint.AUDIT,
        // Another replica may be ready; each test request is to use any replica.
        reason == Reason.NOT_READY || endpoint == Endpoint.PROOF);
  }

  /** Logs one line; repeated decisions once a minute. */
  private void log(AdmissionRequest request, Decision decision) {
    var reason = decision.reason();
    if (decision.audit().isEmpty() && reason.isRoutine()) {
      logger.debug("allowed {}: {}", request.uid(), reason);
      return;
    }
    var verb = !reason.rejects() ? "allowed" : reason.isRetryable() ? "postponed" : "denied";
    var what = "%s %s to %s".formatted(verb, subject(request), LogLimiter.line(request.user()));
    var detail = reason.rejects() ? decision.message() : reason.label() + " " + decision.audit();
    if (!limiter.isDue(what + " " + reason)) {
      return;
    }
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
    event.log("{} (uid {}): {}", what, uid(request), LogLimiter.line(detail));
  }

  private static String uid(AdmissionRequest request) {
    return LogLimiter.line(request.uid());
  }

  private static String subject(AdmissionRequest request) {
    return LogLimiter.line(request.operation() + " of " + request.subject());
  }
}
