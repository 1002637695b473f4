package dev.shipshape.plugin.command;

/** The exit codes of all commands; scripts rely on them. docs/reference/exit-codes.md says more. */
public final class ExitCode {
  /** Done, and nothing to complain about. */
  public static final int OK = 0;

  /** Done, and what was looked for was found, or what was asked was refused. */
  public static final int FOUND = 1;

  /** The command line itself is wrong. */
  public static final int USAGE = 2;

  /** A file or an object that was given is wrong. */
  public static final int BAD_INPUT = 3;

  /** It could not run: a missing program, an unreachable API server, missing rights, a bug. */
  public static final int COULD_NOT_RUN = 4;

  private ExitCode() {}
}
