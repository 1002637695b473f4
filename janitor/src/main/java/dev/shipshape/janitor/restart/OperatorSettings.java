package dev.shipshape.janitor.restart;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which operator to look after, and how.
 *
 * @param container the operator's container
 * @param checkEvery interval of the checks
 * @param signature by which its log shows that it is stuck
 * @param requireWaitingSession how long a session must have waited without a Job for a restart;
 *     null where none need wait
 * @param silenceAfter how long without a line, while a session waits that long without a Job, is
 *     silence
 * @param silenceArmed whether silence has the operator restarted; otherwise it only alerts
 * @param maintenance whom to ask whether maintenance blocks restarts; null for nobody
 * @param waitForPruned the longest that a restart waits for what is pruned before it
 */
public record OperatorSettings(
    String namespace,
    String deployment,
    String container,
    Duration checkEvery,
    Signature signature,
    @Nullable Duration requireWaitingSession,
    Duration silenceAfter,
    boolean silenceArmed,
    RestartGovernor governor,
    @Nullable MaintenanceSettings maintenance,
    Duration waitForPruned) {}
