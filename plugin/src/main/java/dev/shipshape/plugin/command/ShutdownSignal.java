package dev.shipshape.plugin.command;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Notifies a command of SIGTERM or Ctrl-C, and holds the process until the command has closed
 * everything. Open it before the resources that must be closed in order.
 */
final class ShutdownSignal implements AutoCloseable {
  /** Less than the 30 s after which Kubernetes kills a pod. */
  private static final Duration LONGEST_END = Duration.ofSeconds(25);

  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

  /**
   * @param lastWork how long the command continues on purpose after the signal
   */
  ShutdownSignal(Runnable whenAsked, Duration lastWork) {
    var longestEnd = LONGEST_END.plus(lastWork).toSeconds();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  whenAsked.run();
                  ended.completeOnTimeout(false, longestEnd, TimeUnit.SECONDS).join();
                },
                "end in order"));
  }

  /** Releases the process: everything is closed. */
  @Override
  public void close() {
    ended.complete(true);
  }
}
