/**
 * The admission webhook. {@code /validate} refuses known invalid configurations; {@code /mutate}
 * adds hash annotations and refuses nothing.
 */
@NullMarked
package dev.shipshape.webhook;

import org.jspecify.annotations.NullMarked;
