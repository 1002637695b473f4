package dev.shipshape.webhook.config;

import java.time.Duration;

/**
 * How long a watch may be lost.
 *
 * @param unready after this time the replica is not ready. If no replica is ready, no call reaches
 *     the webhook
 * @param refuse after this time the index is not used for decisions
 */
public record StalenessLimits(Duration unready, Duration refuse) {}
