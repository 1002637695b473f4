package dev.shipshape.service;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a task in its own thread. Logs each failure once an hour, and continues: 5 s later, if
 * the API server refused a request.
 */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(PeriodicTask.class);

  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration REFUSED_PAUSE = Duration.ofSeconds(5);

  private final String purpose;
  private final Runnable task;
  private final ScheduledExecutorService thread;
  private final LogLimiter limiter = new LogLimiter(Duration.ofHours(1), System::nanoTime);
  private long pausedUntil = System.nanoTime();

  private PeriodicTask(String purpose, Runnable task) {
    this.purpose = purpose;
    this.task = task;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(purpose).daemon(true).factory());
  }

  /** Starts the task now; messages name its purpose. */
  public static PeriodicTask start(String purpose, Duration between, Runnable task) {
    var periodic = new PeriodicTask(purpose, task);
    var ignored =
        periodic.thread.scheduleWithFixedDelay(
            periodic::run, 0, between.toMillis(), TimeUnit.MILLISECONDS);
    return periodic;
  }

  private void run() {
    if (System.nanoTime() - pausedUntil < 0) {
      return;
    }
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      log(e);
      // A policy that refuses a write refuses it again; a conflict is gone at the next try.
      var cause = e instanceof IllegalStateException ? e.getCause() : e;
      if (cause instanceof KubernetesClientException refused
          && refused.getCode() >= 400
          && refused.getCode() != 409) {
        pausedUntil = System.nanoTime() + REFUSED_PAUSE.toNanos();
      }
    }
  }

  /** What escapes would end the task for ever, also another want of memory. */
  private void log(Throwable e) {
    try {
      var failure = explain(e);
      if (limiter.isDue(LogLimiter.line(failure))) {
        logger
            .atWarn()
            .setCause(isExpected(e) ? null : e)
            .log("{}: {}; will try again", purpose, failure);
      }
    } catch (OutOfMemoryError again) {
      // The task continues, without the line for an hour.
    }
  }

  /** Returns the API server's message: the library's own repeats the whole response. */
  public static String explain(Throwable failure) {
    return switch (failure) {
      case KubernetesClientException refused when refused.getStatus() != null ->
          "the API server answered %d: %s"
              .formatted(refused.getCode(), refused.getStatus().getMessage());
      case KubernetesClientException unanswered -> ApiErrors.reason(unanswered);
      case IllegalStateException _, StartFailure _ -> String.valueOf(failure.getMessage());
      default -> failure.toString();
    };
  }

  /** Of another failure, perhaps a bug, the message alone does not say enough. */
  private static boolean isExpected(Throwable failure) {
    return failure instanceof KubernetesClientException
        || failure instanceof IllegalStateException
        || failure instanceof StartFailure;
  }

  /** Waits for the current run. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        logger.warn("{}: still running after {}", purpose, SHUTDOWN_TIMEOUT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
