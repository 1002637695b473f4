/** What is shipped: a trimmed runtime with the application in it, its image, its archives. */
@NullMarked
package dev.shipshape.packaging;

import org.jspecify.annotations.NullMarked;
