package dev.shipshape.audit;

/** The stages of a request, in their order; the API server logs an event for each. */
public enum Stage {
  RequestReceived,
  ResponseStarted,
  ResponseComplete,
  Panic;

  boolean isLast() {
    return this == ResponseComplete || this == Panic;
  }

  @SuppressWarnings("EnumOrdinal") // For the temporary files, which no other version reads.
  int order() {
    return ordinal();
  }
}
