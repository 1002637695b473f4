package dev.shipshape.janitor.prune;

import java.nio.file.Path;

/** A file that is no plan, or not the one that was saved. The message names file and field. */
public final class BadPlan extends Exception {
  private static final long serialVersionUID = 1L;

  BadPlan(Path file, String problem) {
    super(file + ": " + problem);
  }
}
