/**
 * What makes two configurations the same: rules that normalise an object, canonical JSON, and the
 * hash over it. Pure, without I/O, and the same for the server and for offline use.
 */
@NullMarked
package dev.shipshape.webhook.identity;

import org.jspecify.annotations.NullMarked;
