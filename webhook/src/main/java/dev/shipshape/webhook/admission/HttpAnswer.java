package dev.shipshape.webhook.admission;

/**
 * An HTTP response.
 *
 * @param retry whether the API server is asked to send the call again
 * @param elsewhere whether that is better sent to another replica, and so by another connection
 */
public record HttpAnswer(
    int status, String contentType, String body, boolean retry, boolean elsewhere) {}
