package dev.shipshape.plugin.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells a command that the process is asked to end (SIGTERM, Ctrl-C), and holds the process until
 * the command has ended in order. To be opened before all that must be closed in order.
 */
final class ShutdownSignal implements AutoCloseable {
  /** Below the 30 s that Kubernetes gives a pod before it kills it. */
  private static final Duration LONGEST_END = Duration.ofSeconds(25);

  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Tells the command from now on.
   *
   * @param lastWork how long it still works on purpose once it was asked to end
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

  /** Says that all has been closed. */
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
