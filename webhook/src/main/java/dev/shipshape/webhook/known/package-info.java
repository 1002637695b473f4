/**
 * What is known invalid: hashes of the objects that say so, and KnownInvalidConfigurations. Pure:
 * it is fed, asked and drained, and does no I/O.
 */
@NullMarked
package dev.shipshape.webhook.known;

import org.jspecify.annotations.NullMarked;
