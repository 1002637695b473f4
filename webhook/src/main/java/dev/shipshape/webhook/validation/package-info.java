/** Decides whether a write is refused, exempt or overridden, and reports refusals. */
@NullMarked
package dev.shipshape.webhook.validation;

import org.jspecify.annotations.NullMarked;
