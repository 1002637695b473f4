package dev.shipshape.sandbox;

/** A failure of the sandbox. The message is for the user: it names the attempt and what to do. */
public class SandboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SandboxException(String message) {
    super(message);
  }

  public SandboxException(String message, Throwable cause) {
    super(message, cause);
  }
}
