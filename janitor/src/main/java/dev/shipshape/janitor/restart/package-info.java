/** The operator: what its log tells, whether it is stuck, and its restart. */
@NullMarked
package dev.shipshape.janitor.restart;

import org.jspecify.annotations.NullMarked;
