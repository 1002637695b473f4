package dev.shipshape.webhook.admission;

import java.util.Locale;

/** The paths that the API server calls. */
public enum Endpoint {
  /** Refuses what is known invalid: registered with failurePolicy Fail. */
  VALIDATE,
  /**
   * Where the API server sends what may be let through although it is known invalid: the writer has
   * said so, and has the right to.
   */
  VALIDATE_OVERRIDE,
  /** Only warns: registered with failurePolicy Ignore while the guard is not armed. */
  AUDIT,
  /** Only adds hashes: registered with failurePolicy Ignore. */
  MUTATE,
  /** Where the API server sends what the webhook itself has asked: that it does is the proof. */
  PROOF;

  /**
   * Whether it refuses by a complete denial. The others answer with an error, which a failurePolicy
   * Ignore lets pass: only adding, and only warning, stand in nobody's way.
   */
  boolean denies() {
    return this == VALIDATE || this == VALIDATE_OVERRIDE;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The path of the URL. */
  public String path() {
    return "/" + label().replace('_', '-');
  }
}
