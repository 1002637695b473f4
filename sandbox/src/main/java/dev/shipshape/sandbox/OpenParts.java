package dev.shipshape.sandbox;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes all parts that were opened so far, the last first, even if one fails. */
final class OpenParts implements AutoCloseable {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  @Override
  public synchronized void close() {
    var failure = new SandboxException("could not close all of the control plane");
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }
}
