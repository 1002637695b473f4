package dev.shipshape.service;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a program cannot start. The message is one line that names the attempt and what to do;
 * {@code main} prints it without a stack trace.
 */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartFailure(String message) {
    super(message);
  }

  public StartFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
