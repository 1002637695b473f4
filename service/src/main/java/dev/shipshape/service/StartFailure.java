package dev.shipshape.service;

/**
 * A program that could not start, said in one line that names what was attempted and what to do.
 * {@code main} prints the message without a stack trace.
 */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartFailure(String message) {
    super(message);
  }

  public StartFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
