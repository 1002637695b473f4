package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Looks for one kind of trouble. Sees requests that ask for changes, in their order. */
interface Detector {
  /** Sees a request with its response's body, which is a missing node if there is none. */
  void add(AuditEvent event, JsonNode response);

  /** What was found, once all requests were seen. */
  List<Race> races();
}
