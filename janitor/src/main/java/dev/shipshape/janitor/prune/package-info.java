/** Which sessions may go, and their deletion to its end. */
@NullMarked
package dev.shipshape.janitor.prune;

import org.jspecify.annotations.NullMarked;
