package dev.shipshape.webhook.admission;

/**
 * An HTTP response.
 *
 * @param retry whether a retry may succeed
 * @param elsewhere whether the next call must use another connection, and so another replica
 */
public record HttpAnswer(int status, String type, String body, boolean retry, boolean elsewhere) {}
