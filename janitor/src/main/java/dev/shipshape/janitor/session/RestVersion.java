package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** The supported versions of the CFS service. */
public enum RestVersion {
  /** Fields in camelCase; no pages: a list that is too large gets 400. */
  V2("v2", "startTime", "completionTime"),
  /** Fields in snake_case; pages. */
  V3("v3", "start_time", "completion_time");

  final String path;
  final String startTime;
  final String completionTime;

  RestVersion(String path, String startTime, String completionTime) {
    this.path = path;
    this.startTime = startTime;
    this.completionTime = completionTime;
  }

  /**
   * Returns the sessions in the body of a list. Another body, as of a proxy, must not look like an
   * empty one, all sessions gone, or like a CFS service.
   */
  JsonNode items(JsonNode body) {
    var items = this == V2 ? body : body.path("sessions");
    if (!items.isArray()) {
      throw unexpected("a list of sessions");
    }
    return items;
  }

  KubernetesClientException unexpected(String expected) {
    return new KubernetesClientException(
        "the CFS service answered a request to /%s/sessions with success, but not with %s: check sessions.rest.address"
            .formatted(path, expected));
  }
}
