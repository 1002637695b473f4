package dev.shipshape.plugin.command;

/** The exit codes of all commands; scripts rely on them. See docs/reference/exit-codes.md. */
public final class ExitCode {
  /** Done; nothing was found. */
  public static final int OK = 0;

  /** Done; something was found or refused. */
  public static final int FOUND = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** A file or an object is wrong. */
  public static final int BAD_INPUT = 3;

  /** It could not run: a missing program, an unreachable API server, missing rights, a bug. */
  public static final int COULD_NOT_RUN = 4;

  private ExitCode() {}
}
