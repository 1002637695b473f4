package dev.shipshape.sandbox;

/** A program ended before it was ready. */
final class ProgramDiedException extends SandboxException {
  private static final long serialVersionUID = 1L;

  /** What all three programs print when the port that they were given is in use. */
  private static final String PORT_TAKEN = "address already in use";

  private final boolean portTaken;

  /**
   * @param lastLines the end of what the program wrote
   */
  ProgramDiedException(String program, int exitCode, String lastLines) {
    super(
        "%s ended with exit code %d. Its last lines:\n%s".formatted(program, exitCode, lastLines));
    portTaken = lastLines.contains(PORT_TAKEN);
  }

  /** Whether the program may succeed on another port. */
  boolean portTaken() {
    return portTaken;
  }
}
