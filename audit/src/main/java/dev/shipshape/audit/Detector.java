package dev.shipshape.audit;

import java.util.List;

/** Looks for one kind of trouble. Sees requests that ask for changes, in their order. */
interface Detector {
  void add(AuditEvent event);

  /** What was found, once all requests were seen. */
  List<Race> races();
}
