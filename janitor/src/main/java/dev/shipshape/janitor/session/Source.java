package dev.shipshape.janitor.session;

/** Where the settings say that sessions are. */
public enum Source {
  /** Wherever they are found. */
  AUTO,
  CUSTOM_RESOURCES,
  REST_V3,
  REST_V2
}
