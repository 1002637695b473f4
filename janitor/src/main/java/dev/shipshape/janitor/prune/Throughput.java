package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * How hard one run works.
 *
 * @param workers requests under way at once
 * @param perSecond the most requests to delete in a second
 * @param pause before a request is sent again, and the first one before another look whether what
 *     was deleted is gone
 */
public record Throughput(int workers, int perSecond, Duration pause) {}
