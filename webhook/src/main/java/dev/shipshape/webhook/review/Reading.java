package dev.shipshape.webhook.review;

import org.jspecify.annotations.Nullable;

/** What came of reading a request's bytes. */
public sealed interface Reading {
  /** A complete review. */
  record Understood(AdmissionRequest request) implements Reading {}

  /**
   * Not a review, or not all of one.
   *
   * @param uid the call's name, where it came before the problem
   * @param problem what is wrong, for the answer and the log
   */
  record Malformed(@Nullable String uid, String problem) implements Reading {}
}
