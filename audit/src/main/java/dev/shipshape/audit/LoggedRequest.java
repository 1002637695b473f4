package dev.shipshape.audit;

import org.jspecify.annotations.Nullable;

/**
 * A request with its bodies.
 *
 * @param request the request body's JSON, if it was recorded and asked for
 * @param response the response body's JSON, if it was recorded and asked for
 */
record LoggedRequest(AuditEvent event, @Nullable String request, @Nullable String response) {
  /** Why there is no response body. */
  String whyNoResponse() {
    if (event.truncated()) {
      return "the bodies are left out, as they are too large";
    }
    return event.level().equals("RequestResponse")
        ? "the response has none"
        : "level " + event.level();
  }
}
