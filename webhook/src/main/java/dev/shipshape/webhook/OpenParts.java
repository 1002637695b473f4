package dev.shipshape.webhook;

import java.util.ArrayDeque;
import java.util.Deque;

/** What has been opened, to be closed in reverse order. */
final class OpenParts implements AutoCloseable {
  private final Deque<Runnable> closers = new ArrayDeque<>();

  /** Notes how to close something that is open now. */
  void add(Runnable closer) {
    closers.push(closer);
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
