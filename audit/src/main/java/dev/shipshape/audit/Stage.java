package dev.shipshape.audit;

import com.fasterxml.jackson.annotation.JsonValue;

/** The stages of a request, in their order; the API server logs an event for each. */
public enum Stage {
  RequestReceived,
  ResponseStarted,
  ResponseComplete,
  Panic;

  /** Returns the name that Kubernetes has for it, in any JSON. */
  @JsonValue
  public String text() {
    return name();
  }

  boolean isLast() {
    return this == ResponseComplete || this == Panic;
  }

  @SuppressWarnings("EnumOrdinal") // For the temporary files, which no other version reads.
  int order() {
    return ordinal();
  }
}
