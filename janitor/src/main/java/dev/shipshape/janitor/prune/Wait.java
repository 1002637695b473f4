package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * For what to wait after deletions.
 *
 * @param sessionsAlone not for their Jobs and pods, which only the operator removes: before the
 *     restart of a stuck one, that would be in vain
 * @param deadline how long at most
 */
public record Wait(boolean sessionsAlone, Duration deadline) {}
