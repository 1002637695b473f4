package dev.shipshape.plugin.command;

import java.util.Map;
import java.util.TreeMap;

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

  /** What help texts say of each. */
  static final Map<String, String> MEANINGS =
      new TreeMap<>(
          Map.of(
              "0", "done",
              "1", "something was found, or refused",
              "2", "the command line is wrong",
              "3", "a file or object that was given is wrong",
              "4", "could not run"));

  private ExitCode() {}
}
