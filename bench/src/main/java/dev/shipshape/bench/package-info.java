/** Measures the webhook as it ships: real processes, a real API server, ratios within one run. */
@NullMarked
package dev.shipshape.bench;

import org.jspecify.annotations.NullMarked;
