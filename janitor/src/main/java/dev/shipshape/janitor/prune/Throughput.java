package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * The request limits of one run.
 *
 * @param workers concurrent requests
 * @param perSecond the maximum of delete requests in a second
 * @param pause the first between two polls for objects that are being deleted
 */
public record Throughput(int workers, int perSecond, Duration pause) {}
