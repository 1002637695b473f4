package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * One planned deletion and its end.
 *
 * @param took from the first request until the end was seen
 */
public record Deletion(Plan.Entry entry, Outcome outcome, Duration took) {}
