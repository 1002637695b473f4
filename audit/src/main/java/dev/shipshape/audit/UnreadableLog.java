package dev.shipshape.audit;

import java.io.IOException;

/** A log cannot be read; the message names it. */
public final class UnreadableLog extends IOException {
  private static final long serialVersionUID = 1;

  UnreadableLog(String log, IOException cause) {
    super("could not read %s: %s".formatted(log, Failures.reason(cause)), cause);
  }
}
