package dev.shipshape.janitor.restart;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * What goes before a restart: a restart alone would only replay every session to the operator.
 *
 * @param armed whether the run deletes anything; where not, its failure is no obstacle
 * @param run one run of the pruner, which waits for the sessions alone, and not for long; gives why
 *     it deleted nothing, empty where it did what it should
 */
public record PreRestartPrune(boolean armed, Supplier<Optional<String>> run) {}
