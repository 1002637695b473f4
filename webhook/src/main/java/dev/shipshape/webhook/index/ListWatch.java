package dev.shipshape.webhook.index;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One list and watch, until it is closed. */
public interface ListWatch extends AutoCloseable {
  /**
   * Begins; returns at once.
   *
   * @param failed told of each failure, after which it is tried again
   */
  void start(Consumer<Throwable> failed);

  /** Whether everything that exists has been listed. */
  boolean hasSynced();

  /** Whether the watch stands. */
  boolean isWatching();

  /** The resource version that was seen last; null before the list. */
  @Nullable String lastSyncResourceVersion();

  @Override
  void close();

  /** The library's, which makes trees of whole pages: for what is small and nobody else's. */
  static ListWatch by(SharedIndexInformer<?> informer) {
    return new ListWatch() {
      @Override
      public void start(Consumer<Throwable> failed) {
        // What comes of it is seen by the exception handler and by hasSynced().
        var ignored =
            informer
                .exceptionHandler(
                    (started, failure) -> {
                      failed.accept(failure);
                      return true;
                    })
                .start();
      }

      @Override
      public boolean hasSynced() {
        return informer.hasSynced();
      }

      @Override
      public boolean isWatching() {
        return informer.isWatching();
      }

      @Override
      public @Nullable String lastSyncResourceVersion() {
        return informer.lastSyncResourceVersion();
      }

      @Override
      public void close() {
        informer.close();
      }
    };
  }
}
