/** The operator: what its log tells, and its restart. */
@NullMarked
package dev.shipshape.janitor.operator;

import org.jspecify.annotations.NullMarked;
