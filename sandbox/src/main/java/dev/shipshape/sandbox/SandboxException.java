package dev.shipshape.sandbox;

/**
 * The sandbox could not do what it was asked. The message says what was attempted and what to do,
 * and is meant for the person at the terminal.
 */
public class SandboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SandboxException(String message) {
    super(message);
  }

  public SandboxException(String message, Throwable cause) {
    super(message, cause);
  }
}
