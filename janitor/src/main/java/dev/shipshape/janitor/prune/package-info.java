/** Decides which sessions are deleted, deletes them, and verifies it. */
@NullMarked
package dev.shipshape.janitor.prune;

import org.jspecify.annotations.NullMarked;
