package dev.shipshape.janitor.operator;

import java.time.Duration;

/**
 * What makes an operator stuck: so many failures of its watch within so long, up to now, and no
 * progress after them. One failure proves nothing: the operator heals it by itself.
 */
public record Symptoms(int repetitions, Duration window) {}
