package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Looks for one kind of race in requests that change something, given in their order. */
interface Detector {
  /** Adds a request with its response's body; a missing node if there is none. */
  void add(AuditEvent event, JsonNode response);

  /** Returns what was found; call it after the last request. */
  List<Race> races();
}
