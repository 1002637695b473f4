package dev.shipshape.plugin.release;

import dev.shipshape.audit.Text;
import java.io.PrintWriter;
import picocli.CommandLine.Help.Ansi;

/** Prints the steps of a command: headings, executed commands, results. */
public record Console(PrintWriter out) {
  private static final String BOLD = "1";
  private static final String DIM = "2";
  private static final String RED = "31";
  private static final String GREEN = "32";

  void heading(String text) {
    out.println("\n" + painted(BOLD, text));
  }

  /** Prints a command that is run. */
  public void action(String text) {
    out.println(painted(DIM, "> ") + text);
  }

  /** Prints a result or what is awaited, one line or several. */
  public void result(String text) {
    Text.printable(text).lines().forEach(each -> out.println("  " + each));
  }

  public void verdict(boolean asExpected, String text) {
    var result = asExpected ? painted(GREEN, "ok: ") : painted(RED, "FAILED: ");
    out.println("  " + result + Text.printable(text));
  }

  /** With colours if the command's help has them. */
  private static String painted(String code, String text) {
    return Ansi.AUTO.enabled() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
