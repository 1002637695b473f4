package dev.shipshape.service;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats a task in a thread of its own. One that fails is logged and repeated. */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(PeriodicTask.class);

  private static final Duration END = Duration.ofSeconds(5);

  private final String what;
  private final Runnable task;
  private final ScheduledExecutorService thread;
  private String lastFailure = "";

  private PeriodicTask(String what, Runnable task) {
    this.what = what;
    this.task = task;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(what).daemon(true).factory());
  }

  /**
   * Begins with it now.
   *
   * @param what the task is for, for messages
   */
  public static PeriodicTask start(String what, Duration between, Runnable task) {
    var periodic = new PeriodicTask(what, task);
    var ignored =
        periodic.thread.scheduleWithFixedDelay(
            periodic::run, 0, between.toMillis(), TimeUnit.MILLISECONDS);
    return periodic;
  }

  private void run() {
    try {
      task.run();
      lastFailure = "";
    } catch (RuntimeException | Error e) {
      var failure = explain(e);
      if (!failure.equals(lastFailure)) {
        logger.warn("{}: {}; will try again", what, failure);
      }
      lastFailure = failure;
    }
  }

  /** The API server's own words: the library's repeat the whole answer. */
  public static String explain(Throwable failure) {
    return failure instanceof KubernetesClientException refused && refused.getStatus() != null
        ? "the API server answered %d: %s"
            .formatted(refused.getCode(), refused.getStatus().getMessage())
        : failure instanceof IllegalStateException || failure instanceof StartFailure
            ? String.valueOf(failure.getMessage())
            : failure.toString();
  }

  /** Ends with the run that is going on. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS)) {
        logger.warn("{}: still at work after {}", what, END);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
