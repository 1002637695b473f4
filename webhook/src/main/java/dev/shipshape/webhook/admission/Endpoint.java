package dev.shipshape.webhook.admission;

import java.util.Locale;

/** The paths that the API server calls. */
public enum Endpoint {
  /** Refuses known invalid configurations; registered with failurePolicy Fail. */
  VALIDATE,
  /** Allows known invalid configurations; called for users who set and may use the override. */
  VALIDATE_OVERRIDE,
  /** Only warns; registered with failurePolicy Ignore while the guard is not armed. */
  AUDIT,
  /** Only adds hashes; registered with failurePolicy Ignore. */
  MUTATE,
  /** Receives the webhook's own test requests, which check that the API server calls it. */
  PROOF;

  /**
   * Whether rejections are complete denials. Other endpoints return an HTTP error, which
   * failurePolicy Ignore lets pass: warnings and hash annotations must never block a write.
   */
  boolean denies() {
    return this == VALIDATE || this == VALIDATE_OVERRIDE;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String path() {
    return "/" + label().replace('_', '-');
  }
}
