package dev.shipshape.webhook;

import dev.shipshape.webhook.identity.HeapShare;
import dev.shipshape.webhook.review.AdmissionRequest;
import dev.shipshape.webhook.review.Answer;
import dev.shipshape.webhook.review.AnswerWriter;
import dev.shipshape.webhook.review.Reading;
import dev.shipshape.webhook.review.ReviewObject;
import dev.shipshape.webhook.review.ReviewReader;
import dev.shipshape.webhook.review.UnreadableObject;
import dev.shipshape.webhook.review.Verdict;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One entry of the webhook: bytes, request, decision, bytes. */
final class AdmissionEntry {
  /** The API server sends a call again that failed with this header, within the call's deadline. */
  private static final int RETRY_AFTER_SECONDS = 1;

  private static final Logger logger = LoggerFactory.getLogger(AdmissionEntry.class);

  private final Entry entry;
  private final Mode mode;
  private final Decider decider;
  private final AdmissionMetrics metrics;
  private final DecisionListener listener;
  private final LogLimiter limiter = new LogLimiter(System::nanoTime);

  AdmissionEntry(Entry entry, Mode mode, Decider decider, AdmissionMetrics metrics) {
    this(entry, mode, decider, metrics, DecisionListener.NOBODY);
  }

  AdmissionEntry(
      Entry entry,
      Mode mode,
      Decider decider,
      AdmissionMetrics metrics,
      DecisionListener listener) {
    this.entry = entry;
    this.mode = mode;
    this.decider = decider;
    this.metrics = metrics;
    this.listener = listener;
  }

  Entry entry() {
    return entry;
  }

  /**
   * Answers a call. Whatever the body is, there is an answer, and no mistake of ours allows.
   *
   * @param understood told, before it is answered, where it is a review that can be read
   */
  Answer answer(byte[] body, Runnable understood) {
    return switch (ReviewReader.read(body)) {
      case Reading.Understood(var request) -> {
        understood.run();
        yield answer(request);
      }
      case Reading.Malformed(var uid, var problem) -> refuse(uid, Refusal.BAD_REQUEST, problem);
    };
  }

  /** Refuses a call for what was wrong before its body could be read to the end. */
  Answer refuse(byte[] beginning, Refusal refusal, String problem) {
    return refuse(ReviewReader.uidOf(beginning), refusal, problem);
  }

  private Answer answer(AdmissionRequest request) {
    try {
      var decision = decide(request);
      tell(request, decision);
      return conclude(request, decision);
    } catch (UnreadableObject e) {
      return refuse(request.uid(), Refusal.BAD_REQUEST, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      logger.error("could not decide about {} (uid {})", subject(request), text(request.uid()), e);
      metrics.counted(entry, request.operation(), Outcome.FAILED);
      metrics.refused(entry, Refusal.INTERNAL_ERROR);
      return entry.refuse(
          mode,
          request.uid(),
          Refusal.INTERNAL_ERROR,
          "internal error; see the webhook's log",
          Map.of());
    }
  }

  private Decision decide(AdmissionRequest request) {
    var bytes = largest(request, ReviewObject::bytes);
    return bytes < DecisionWorkers.LARGE_BODY
        ? decider.decide(request)
        : HeapShare.using(
            bytes, largest(request, ReviewObject::tokens), () -> decider.decide(request));
  }

  /** What is too large to be judged is not hashed. */
  private static int largest(AdmissionRequest request, ToIntFunction<ReviewObject> size) {
    return Stream.of(request.written(), request.oldObject())
        .filter(ReviewObject::isReadable)
        .mapToInt(size)
        .max()
        .orElse(0);
  }

  /** What goes wrong in the telling changes no answer. */
  private void tell(AdmissionRequest request, Decision decision) {
    try {
      listener.decided(request, decision);
    } catch (RuntimeException e) {
      logger.error("could not tell the decision about {}", subject(request), e);
    }
  }

  private Answer conclude(AdmissionRequest request, Decision decision) {
    return switch (decision) {
      case Decision.Allow(var grounds, var warning, var audit) -> {
        logAllowed(request, grounds, audit);
        metrics.counted(entry, request.operation(), grounds.outcome());
        var warnings = warning == null ? List.<String>of() : List.of(warning);
        yield complete(request, new Verdict.Allowed(warnings, audit, null));
      }
      case Decision.Patch(var operations) -> {
        metrics.counted(entry, request.operation(), Outcome.PATCHED);
        yield complete(request, new Verdict.Allowed(List.of(), Map.of(), operations));
      }
      case Decision.Deny(var refusal, var message, var audit) -> {
        log("denied", request, audit, message);
        metrics.counted(entry, request.operation(), Outcome.DENIED);
        metrics.refused(entry, refusal);
        yield entry.refuse(mode, request.uid(), refusal, message, audit);
      }
      case Decision.TryLater(var why, var ignored) -> {
        log("put off", request, Map.of(), why);
        metrics.counted(entry, request.operation(), Outcome.POSTPONED);
        // Another replica may know; by a connection that stays the next try would come here again.
        yield postponed(Refusal.NOT_READY, why).sentElsewhere();
      }
    };
  }

  private void logAllowed(
      AdmissionRequest request, Decision.Grounds grounds, Map<String, String> audit) {
    // What is told to the audit log met something known invalid.
    if (grounds.outcome() == Outcome.ALLOWED && audit.isEmpty()) {
      if (logger.isDebugEnabled()) {
        logger.debug("allowed {}: {}", subject(request), grounds);
      }
    } else {
      log("allowed", request, audit, grounds.label() + " " + audit);
    }
  }

  /** One line; of what comes again and again the first, and then one a minute. */
  private void log(
      String verdict, AdmissionRequest request, Map<String, String> audit, String why) {
    var what = verdict + " " + subject(request) + " to " + text(request.user());
    limiter
        .log(what + " " + audit.get(Audit.DECISION) + " " + audit.get(Audit.CONFIG_HASH))
        .ifPresent(
            more ->
                logger.info(
                    "{} (uid {}{}): {}",
                    what,
                    text(request.uid()),
                    more == 0 ? "" : ", and %d times before within a minute".formatted(more),
                    text(why)));
  }

  /** Turns away a call that has not been read; what can be answered later is asked for again. */
  Answer turnAway(Refusal refusal, String why) {
    logger.info("turned away a call to {} unread: {}", entry.path(), why);
    if (refusal.passes()) {
      metrics.counted(entry, null, Outcome.POSTPONED);
      return postponed(refusal, why);
    }
    metrics.counted(entry, null, Outcome.REFUSED);
    metrics.refused(entry, refusal);
    return AnswerWriter.error(refusal.code(), why, null);
  }

  private Answer postponed(Refusal refusal, String why) {
    metrics.refused(entry, refusal);
    return AnswerWriter.error(refusal.code(), why, RETRY_AFTER_SECONDS);
  }

  private static Answer complete(AdmissionRequest request, Verdict verdict) {
    return AnswerWriter.complete(request.uid(), verdict);
  }

  private Answer refuse(@Nullable String uid, Refusal refusal, String problem) {
    logger.info(
        "refused a call to {} (uid {}): {}",
        entry.path(),
        uid == null ? "unknown" : text(uid),
        text(problem));
    metrics.counted(entry, null, Outcome.REFUSED);
    metrics.refused(entry, refusal);
    return entry.refuse(mode, uid, refusal, problem, Map.of());
  }

  private static String subject(AdmissionRequest request) {
    return text(request.operation() + " of " + request.subject());
  }

  /** What others wrote must not make lines of its own in the log. */
  private static String text(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
