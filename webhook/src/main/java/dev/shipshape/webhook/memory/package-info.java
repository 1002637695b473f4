/**
 * What was learned to be invalid, kept where the operators forget it: in a ConfigMap that one
 * leader writes and every replica watches. It learns from the status of objects alone.
 */
@NullMarked
package dev.shipshape.webhook.memory;

import org.jspecify.annotations.NullMarked;
