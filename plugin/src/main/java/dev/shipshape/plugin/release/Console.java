package dev.shipshape.plugin.release;

import java.io.PrintStream;
import java.util.Map;

/**
 * What a person sees: headings, the commands that were run, their results, and progress while
 * waiting. Colours and rewritten lines only on a terminal, and colours never under {@code
 * NO_COLOR}.
 */
public final class Console {
  private static final String BOLD = "1";
  private static final String DIM = "2";
  private static final String RED = "31";
  private static final String GREEN = "32";
  private static final String ERASE_LINE = "\r\u001b[2K";

  private final PrintStream out;
  private final boolean terminal;
  private final boolean colours;
  private boolean lineOpen;

  /**
   * Prints to a stream.
   *
   * @param terminal whether a person watches it: lines may be rewritten
   */
  public Console(PrintStream out, boolean terminal, Map<String, String> environment) {
    this.out = out;
    this.terminal = terminal;
    this.colours =
        terminal
            && environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !"false".equals(System.getProperty("picocli.ansi"))
            && !"dumb".equals(environment.get("TERM"));
  }

  /** The process's own standard output. */
  @SuppressWarnings("SystemConsoleNull") // Java 22 to 24 had a console always; 25 has it no more.
  public static Console ofProcess() {
    return new Console(System.out, System.console() != null, System.getenv());
  }

  /** Begins a step. */
  public synchronized void heading(String text) {
    line("\n" + painted(BOLD, text));
  }

  /** Something that one of our programs does, for which there is no command to type. */
  public synchronized void action(String text) {
    line(painted(DIM, "> ") + text);
  }

  /** What came of it; may have several lines. */
  public synchronized void result(String text) {
    text.lines().forEach(each -> line("  " + each));
  }

  /** What is being waited for: rewritten in place on a terminal, else a line each. */
  public synchronized void progress(String text) {
    if (terminal) {
      out.print(ERASE_LINE + painted(DIM, "  " + text));
      out.flush();
      lineOpen = true;
    } else {
      line("  " + text);
    }
  }

  /** Says whether something came out as it should. */
  public synchronized void verdict(boolean asExpected, String text) {
    line("  " + (asExpected ? painted(GREEN, "ok: ") : painted(RED, "FAILED: ")) + text);
  }

  private void line(String text) {
    out.println(lineOpen ? ERASE_LINE + text : text);
    lineOpen = false;
  }

  private String painted(String code, String text) {
    return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
