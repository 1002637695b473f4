/** How fast the janitor works, and when it stops. */
@NullMarked
package dev.shipshape.janitor.pace;

import org.jspecify.annotations.NullMarked;
