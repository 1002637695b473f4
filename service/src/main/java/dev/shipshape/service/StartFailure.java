package dev.shipshape.service;

import org.jspecify.annotations.Nullable;

/** A failed start in one line: the attempt and what to do. Printed without a stack trace. */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartFailure(String message) {
    super(message);
  }

  public StartFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
