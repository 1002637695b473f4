package dev.shipshape.plugin.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Notifies a command of SIGTERM or Ctrl-C, and holds the process until the command has closed
 * everything. Open it before the resources that must be closed in order.
 */
final class ShutdownSignal implements AutoCloseable {
  /** Less than the 30 s after which Kubernetes kills a pod. */
  private static final Duration LONGEST_END = Duration.ofSeconds(25);

  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Registers the notification.
   *
   * @param lastWork how long the command continues on purpose after the signal
   */
  ShutdownSignal(Runnable whenAsked, Duration lastWork) {
    var longestEnd = LONGEST_END.plus(lastWork);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  whenAsked.run();
                  awaitEnd(longestEnd);
                },
                "end in order"));
  }

  /** Releases the process: everything is closed. */
  @Override
  public void close() {
    ended.countDown();
  }

  private void awaitEnd(Duration longest) {
    try {
      var _ = ended.await(longest.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
