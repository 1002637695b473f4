/**
 * The identity of configurations: normalisation rules, canonical JSON and its hash. Pure functions,
 * used by the server and offline.
 */
@NullMarked
package dev.shipshape.webhook.identity;

import org.jspecify.annotations.NullMarked;
