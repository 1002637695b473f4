/** Adds hash annotations to admitted objects. */
@NullMarked
package dev.shipshape.webhook.mutation;

import org.jspecify.annotations.NullMarked;
