package dev.shipshape.webhook;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been opened, to be closed in reverse order. */
final class OpenParts implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(OpenParts.class);

  private final Deque<Runnable> closers = new ArrayDeque<>();

  /** Notes how to close something that is open now. */
  void add(Runnable closer) {
    closers.push(closer);
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      try {
        closers.pop().run();
      } catch (RuntimeException e) {
        // The others are to be closed all the same.
        logger.warn("could not close a part", e);
      }
    }
  }
}
