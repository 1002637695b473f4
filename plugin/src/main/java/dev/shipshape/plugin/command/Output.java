package dev.shipshape.plugin.command;

import java.util.Locale;

/** In which form a command answers. */
enum Output {
  /** For people. */
  TABLE,
  /** For programs. */
  JSON;

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
