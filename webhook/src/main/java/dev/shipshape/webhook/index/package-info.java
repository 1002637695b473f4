/** Feeds the index of known invalid configurations from lists and watches. */
@NullMarked
package dev.shipshape.webhook.index;

import org.jspecify.annotations.NullMarked;
