package dev.shipshape.janitor.prune;

import java.time.Duration;

/**
 * For what to wait after deletions.
 *
 * @param sessionsAlone not for their Jobs and pods, which only the operator removes: before the
 *     restart of a stuck one, that would be in vain
 * @param deadline how long at most; before a restart, for the whole run, its lists' pauses and
 *     deletions included
 */
public record Wait(boolean sessionsAlone, Duration deadline) {}
