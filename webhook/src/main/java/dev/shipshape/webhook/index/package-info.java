/**
 * What is known invalid now: hashes of the objects that say so, fed by list and watch, kept without
 * the objects.
 */
@NullMarked
package dev.shipshape.webhook.index;

import org.jspecify.annotations.NullMarked;
