package dev.shipshape.plugin.command;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** What a command waits for, on standard error, if a person watches that. */
record Progress(PrintWriter err, boolean watched) {
  @SuppressWarnings("SystemConsoleNull") // Java 22 to 24 had a console always; 25 has it no more.
  static Progress of(CommandSpec spec) {
    return new Progress(spec.commandLine().getErr(), System.console() != null);
  }

  void reading(String what) {
    if (watched) {
      err.println("reading " + what);
    }
  }
}
