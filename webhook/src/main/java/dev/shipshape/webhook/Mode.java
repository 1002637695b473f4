package dev.shipshape.webhook;

/** What becomes of a configuration that is known invalid. */
public enum Mode {
  /** It is let through with a warning: how a first installation starts. */
  AUDIT,
  /** It is refused. */
  ENFORCE
}
