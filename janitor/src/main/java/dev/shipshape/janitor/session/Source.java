package dev.shipshape.janitor.session;

/** The values of {@code sessions.source}. */
public enum Source {
  AUTO,
  CUSTOM_RESOURCES,
  REST_V3,
  REST_V2
}
