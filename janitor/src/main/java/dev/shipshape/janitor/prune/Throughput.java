package dev.shipshape.janitor.prune;

/**
 * How hard one run works.
 *
 * @param workers requests under way at once
 * @param perSecond the most requests to delete in a second
 */
public record Throughput(int workers, int perSecond) {}
