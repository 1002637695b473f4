/**
 * The admission webhook: bytes to request to decision to bytes. {@code /validate} refuses
 * configurations that are known invalid; {@code /mutate} stamps hashes and decides nothing.
 */
@NullMarked
package dev.shipshape.webhook;

import org.jspecify.annotations.NullMarked;
