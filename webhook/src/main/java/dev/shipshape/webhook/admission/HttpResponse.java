package dev.shipshape.webhook.admission;

/**
 * An HTTP response.
 *
 * @param body JSON
 * @param isRetryable whether a retry may succeed
 * @param closesConnection whether the next call must use another connection, and so another replica
 */
public record HttpResponse(
    int status, String body, boolean isRetryable, boolean closesConnection) {}
