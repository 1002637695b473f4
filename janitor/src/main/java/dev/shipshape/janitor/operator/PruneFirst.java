package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.prune.PruneReport;
import java.util.function.Supplier;

/**
 * What goes before a restart: a restart alone would only replay every session to the operator.
 *
 * @param armed whether the run deletes anything; where not, its failure is no obstacle
 * @param run one run of the pruner, which waits for the sessions alone, and not for long
 */
public record PruneFirst(boolean armed, Supplier<PruneReport> run) {}
