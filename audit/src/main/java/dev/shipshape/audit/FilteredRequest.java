package dev.shipshape.audit;

/** What a filter looks at, of an event in its bytes or on its own. */
interface FilteredRequest {
  /** A field of the event; empty where it is not there. */
  String text(Field field);

  String name();

  String namespace();

  String uid();

  /** In microseconds since 1970. */
  long received();

  boolean mutates();
}
