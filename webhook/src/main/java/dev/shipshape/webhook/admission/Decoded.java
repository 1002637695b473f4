package dev.shipshape.webhook.admission;

import org.jspecify.annotations.Nullable;

/** What came of decoding a body. */
public sealed interface Decoded {
  /** A complete review. */
  record Request(AdmissionRequest request) implements Decoded {}

  /**
   * Not a review, or not all of one.
   *
   * @param uid the call's, if it came before the problem
   * @param problem what is wrong, for the response and the log
   */
  record Malformed(@Nullable String uid, String problem) implements Decoded {}
}
