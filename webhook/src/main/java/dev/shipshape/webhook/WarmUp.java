package dev.shipshape.webhook;

import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.Guards;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.validation.ValidationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the handlers in process before the API server does, so that its first calls find them
 * compiled. The handlers are like the real ones, but know nothing invalid and count elsewhere.
 */
final class WarmUp implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(WarmUp.class);
  private static final int CALLS_A_ROUND = 60;
  private static final int ROUNDS_WITHOUT_GAIN = 3;
  private static final double GAIN = 0.9;
  private static final int OK = 200;

  @SuppressWarnings("ArrayRecordComponent")
  private record Call(AdmissionEndpoint endpoint, byte[] review) {}

  private final List<Call> calls;
  private final Duration longest;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile Optional<String> notReady = Optional.of("warming up");

  private WarmUp(WebhookSettings settings) {
    var guards = new Guards(settings.guards().stream().map(GuardIndex::ofNothing).toList());
    var metrics = new AdmissionMetrics(new SimpleMeterRegistry());
    var validate =
        new AdmissionEndpoint(
            Endpoint.VALIDATE, new ValidationHandler(guards, settings.scope()), metrics, List.of());
    var mutate =
        new AdmissionEndpoint(Endpoint.MUTATE, new HashAnnotator(guards), metrics, List.of());
    this.calls =
        settings.guards().stream()
            .flatMap(guard -> calls(guard, validate, mutate).stream())
            .toList();
    this.longest = settings.warmUp();
  }

  private static List<Call> calls(
      Guard guard, AdmissionEndpoint validate, AdmissionEndpoint mutate) {
    var creation = bytes(WarmUpReview.creation(guard.resource()));
    var update = bytes(WarmUpReview.update(guard.resource()));
    return List.of(
        new Call(validate, creation), new Call(mutate, creation), new Call(validate, update));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Begins, and returns at once. */
  static WarmUp begin(WebhookSettings settings) {
    var warmUp = new WarmUp(settings);
    if (settings.warmUp().isZero()) {
      warmUp.notReady = Optional.empty();
    } else {
      Thread.ofPlatform().name("warm-up").daemon(true).start(warmUp::run);
    }
    return warmUp;
  }

  /** Why the server should get no calls yet. */
  Optional<String> notReadyReason() {
    return notReady;
  }

  private void run() {
    try {
      var began = System.nanoTime();
      var best = Long.MAX_VALUE;
      var rounds = 0;
      for (var withoutGain = 0; withoutGain < ROUNDS_WITHOUT_GAIN; rounds++) {
        var took = round();
        withoutGain = took < best * GAIN ? 0 : withoutGain + 1;
        best = Math.min(best, took);
        if (closed.get() || System.nanoTime() - began > longest.toNanos()) {
          break;
        }
      }
      logger.info(
          "warm after {} calls in {} ms",
          rounds * CALLS_A_ROUND,
          Duration.ofNanos(System.nanoTime() - began).toMillis());
      notReady = Optional.empty();
    } catch (RuntimeException e) {
      logger.error("could not warm up", e);
      notReady = Optional.of("could not warm up: " + e.getMessage());
    }
  }

  /** Makes so many calls; returns the nanoseconds that they took. */
  private long round() {
    var began = System.nanoTime();
    for (var count = 0; count < CALLS_A_ROUND; count++) {
      var call = calls.get(count % calls.size());
      var answer = call.endpoint().answer(call.review());
      if (answer.status() != OK) {
        throw new IllegalStateException("the handler answered " + answer.status());
      }
    }
    return System.nanoTime() - began;
  }

  @Override
  public void close() {
    closed.set(true);
  }
}
