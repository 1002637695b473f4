package dev.shipshape.webhook.review;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP answer.
 *
 * @param status the HTTP status
 * @param contentType of the body
 * @param retryAfterSeconds asks the API server to send the call again; null where that cannot help
 */
public record Answer(
    int status, String contentType, String body, @Nullable Integer retryAfterSeconds) {}
