package dev.shipshape.sandbox;

import java.util.function.Supplier;

/** A start that leaves nothing half started behind. */
final class Startup {
  private Startup() {}

  /** Carries on with what is open already; closes it if that fails. */
  static <T> T orClose(AutoCloseable open, Supplier<T> rest) {
    try {
      return rest.get();
    } catch (RuntimeException | Error e) {
      try {
        open.close();
      } catch (Exception closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }
}
