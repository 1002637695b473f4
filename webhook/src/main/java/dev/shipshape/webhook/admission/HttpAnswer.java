package dev.shipshape.webhook.admission;

/**
 * What a call is answered with.
 *
 * @param retry whether another try soon may end otherwise
 * @param elsewhere whether that try is to go to another replica
 */
public record HttpAnswer(int status, String type, String body, boolean retry, boolean elsewhere) {}
