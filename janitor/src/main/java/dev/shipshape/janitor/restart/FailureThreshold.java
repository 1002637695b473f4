package dev.shipshape.janitor.restart;

import java.time.Duration;

/**
 * What marks an operator as stuck: so many failed watches within the window, up to now, and no
 * progress after them. One failure proves nothing: the operator recovers by itself.
 */
public record FailureThreshold(int failures, Duration window) {}
