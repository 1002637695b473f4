package dev.shipshape.plugin.command;

import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PruneReport;

/** The output of {@code shipshape prune}. */
sealed interface PruneView permits PruneTables, PruneJson {

  /** What a run would do now. */
  String plan(Plan plan);

  /** What a run did. */
  String report(PruneReport report);
}
