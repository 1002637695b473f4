package dev.shipshape.janitor.event;

/**
 * What an Event says.
 *
 * @param warning whether somebody should look
 * @param reason one word in upper camel case, for machines
 * @param action what was done, likewise
 * @param note for people, in one line
 */
public record Notice(boolean warning, String reason, String action, String note) {}
