package dev.shipshape.plugin.command;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs commands of the plugin; what the last one printed is kept. */
abstract class WithCommands {
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  /** Returns the exit code. */
  int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Shipshape.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }
}
