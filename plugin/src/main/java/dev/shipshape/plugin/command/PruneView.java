package dev.shipshape.plugin.command;

import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PlanReview;
import dev.shipshape.janitor.prune.PruneReport;
import java.nio.file.Path;

/** The output of {@code shipshape prune}. */
sealed interface PruneView permits PruneTables, PruneJson {

  /** A plan that has been saved. */
  String saved(Plan plan, Path file);

  /** A plan that may not be carried out, and so was not saved. */
  String stopped(Plan plan, Plan.Stop stop);

  /** What a saved plan would do now. */
  String review(PlanReview review);

  /** What it did. */
  String report(PruneReport report);
}
