package dev.shipshape.janitor.restart;

import java.time.Duration;

/**
 * Number of failed watches within the window, up to now and without progress after them, that marks
 * the operator as stuck. One failure proves nothing: the operator recovers by itself.
 */
public record FailureThreshold(int failures, Duration window) {}
