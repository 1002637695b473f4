package dev.shipshape.janitor.restart;

/**
 * Why a stuck operator is not restarted.
 *
 * @param detail one line
 */
record Refusal(RestartRefusal reason, String detail) {}
