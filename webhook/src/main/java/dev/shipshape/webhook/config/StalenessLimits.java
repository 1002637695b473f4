package dev.shipshape.webhook.config;

import java.time.Duration;

/**
 * What follows when the watch is lost.
 *
 * @param unready from when on the server should get no calls; where that is so of all replicas,
 *     nothing reaches any of them
 * @param refuse from when on it decides nothing by what it knew
 */
public record StalenessLimits(Duration unready, Duration refuse) {}
