package dev.shipshape.webhook.review;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP answer.
 *
 * @param status the HTTP status
 * @param contentType of the body
 * @param retryAfterSeconds asks the API server to send the call again; null where that cannot help
 * @param elsewhere whether the call is better sent to another replica, and so by another connection
 */
public record Answer(
    int status,
    String contentType,
    String body,
    @Nullable Integer retryAfterSeconds,
    boolean elsewhere) {
  /** The same, to be asked for elsewhere. */
  public Answer sentElsewhere() {
    return new Answer(status, contentType, body, retryAfterSeconds, true);
  }
}
