package dev.shipshape.audit;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.util.RawValue;
import org.jspecify.annotations.Nullable;

/**
 * @param request the request body's JSON, if it was recorded and asked for
 * @param response the response body's JSON, if it was recorded and asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LoggedRequest(
    @JsonUnwrapped AuditEvent event,
    @JsonIgnore @Nullable String request,
    @JsonIgnore @Nullable String response) {
  @JsonProperty
  @Nullable Object requestObject() {
    return embedded(request);
  }

  @JsonProperty
  @Nullable Object responseObject() {
    return embedded(response);
  }

  /** Returns the body as it was recorded, on one line; its text if it is no JSON. */
  private static @Nullable Object embedded(@Nullable String body) {
    return body == null || Json.tree(body).isMissingNode()
        ? body
        : new RawValue(body.replace('\n', ' ').replace('\r', ' '));
  }

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
