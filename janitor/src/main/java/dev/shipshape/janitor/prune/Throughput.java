package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * The request limits of one run.
 *
 * @param workers concurrent requests
 * @param perSecond the maximum of delete requests in a second
 * @param pause between polls for the workers' end; also the first between polls for objects
 */
public record Throughput(int workers, int perSecond, Duration pause) {}
