/** Diagnoses an operator by its log, and restarts it if it is stuck. */
@NullMarked
package dev.shipshape.janitor.restart;

import org.jspecify.annotations.NullMarked;
