package dev.shipshape.plugin.release;

import java.io.PrintWriter;
import picocli.CommandLine.Help.Ansi;

/** What a person sees: headings, the commands that were run, their results, and what is awaited. */
public final class Console {
  private static final String BOLD = "1";
  private static final String DIM = "2";
  private static final String RED = "31";
  private static final String GREEN = "32";

  private final PrintWriter out;
  private final boolean colours;

  Console(PrintWriter out, boolean colours) {
    this.out = out;
    this.colours = colours;
  }

  /** Of a command; in colours where its help has them. */
  public static Console of(PrintWriter out) {
    return new Console(out, Ansi.AUTO.enabled());
  }

  /** Begins a step. */
  public void heading(String text) {
    out.println("\n" + painted(BOLD, text));
  }

  /** Something that one of our programs does, for which there is no command to type. */
  public void action(String text) {
    out.println(painted(DIM, "> ") + text);
  }

  /** What came of it, or is waited for; may have several lines. */
  public void result(String text) {
    text.lines().forEach(each -> out.println("  " + each));
  }

  /** Says whether something came out as it should. */
  public void verdict(boolean asExpected, String text) {
    out.println("  " + (asExpected ? painted(GREEN, "ok: ") : painted(RED, "FAILED: ")) + text);
  }

  private String painted(String code, String text) {
    return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
