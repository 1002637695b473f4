package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * What to do with Jobs that the operator leaves behind.
 *
 * @param armed false: only report them; so it is where pruning itself is not armed
 * @param after how long to wait for the operator
 */
public record LeakedJobPolicy(boolean armed, Duration after) {}
