/** The janitor: prunes aged CFS sessions and restarts an operator that is stuck. */
@NullMarked
package dev.shipshape.janitor;

import org.jspecify.annotations.NullMarked;
