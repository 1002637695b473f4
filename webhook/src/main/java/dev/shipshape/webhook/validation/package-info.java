/**
 * Decides whether a write is refused, which writes are exempt, and what messages and Events report.
 */
@NullMarked
package dev.shipshape.webhook.validation;

import org.jspecify.annotations.NullMarked;
