package dev.shipshape.webhook;

import java.util.Locale;

/** What became of a call, as metrics count it. */
enum Outcome {
  ALLOWED,
  /** Allowed, though it would be refused if the webhook enforced, or could compare secrets. */
  WARNED,
  /** Known invalid, and let through by somebody who may. */
  OVERRIDDEN,
  /** Written by somebody who is never refused, or not now. */
  EXEMPTED,
  PATCHED,
  DENIED,
  /** Asked to come again. */
  POSTPONED,
  /** Not understood, or not to be answered. */
  REFUSED,
  /** A mistake in this program. */
  FAILED;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
