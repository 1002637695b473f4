package dev.shipshape.plugin.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command run until the process is asked to end (SIGTERM, Ctrl-C), and holds the process
 * until the command has ended in order. To be opened before all that must be closed in order:
 *
 * <pre>{@code
 * try (var stop = ShutdownSignal.begin(lastWork); var server = start()) {
 *   stop.await();
 * }
 * }</pre>
 */
final class ShutdownSignal implements AutoCloseable {
  /** Below the 30 s that Kubernetes gives a pod before it kills it. */
  private static final Duration LONGEST_END = Duration.ofSeconds(25);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Runnable whenAsked;
  private final Duration longestEnd;
  private volatile boolean awaiting;

  private ShutdownSignal(Runnable whenAsked, Duration longestEnd) {
    this.whenAsked = whenAsked;
    this.longestEnd = longestEnd;
    Runtime.getRuntime().addShutdownHook(new Thread(this::endInOrder, "end in order"));
  }

  /**
   * For a command that waits in {@link #await}, or may be interrupted before.
   *
   * @param lastWork how long it still works on purpose once it was asked to end
   */
  static ShutdownSignal begin(Duration lastWork) {
    return new ShutdownSignal(Thread.currentThread()::interrupt, LONGEST_END.plus(lastWork));
  }

  /**
   * For a command that is at work and does not wait in {@link #await}.
   *
   * @param whenAsked tells it to end
   */
  static ShutdownSignal begin(Runnable whenAsked) {
    return new ShutdownSignal(whenAsked, LONGEST_END);
  }

  /** Returns once the process is asked to end. */
  void await() throws InterruptedException {
    awaiting = true;
    asked.await();
  }

  /** Says that all has been closed. */
  @Override
  public void close() {
    ended.countDown();
  }

  private void endInOrder() {
    asked.countDown();
    if (!awaiting) {
      whenAsked.run();
    }
    try {
      var _ = ended.await(longestEnd.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
