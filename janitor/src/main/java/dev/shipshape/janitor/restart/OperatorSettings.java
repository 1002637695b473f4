package dev.shipshape.janitor.restart;

import java.time.Duration;

/**
 * An operator to look after, and how.
 *
 * @param name the label of its metrics; no other has it
 * @param container whose log is read
 * @param signature by which its log shows that it is stuck
 * @param ownsSessions whether the CFS sessions are this operator's: they are pruned before it is
 *     restarted, and those that wait are a symptom
 * @param armed false: only report, also if a restart is no remedy
 * @param silenceAfter how long without a line, while a session waits that long without a Job, is
 *     silence
 * @param silenceArmed whether silence has the operator restarted; otherwise it only alerts
 * @param problem why it cannot be looked after; empty if it can
 */
public record OperatorSettings(
    String name,
    Workload workload,
    String container,
    Signature signature,
    boolean ownsSessions,
    boolean armed,
    Duration silenceAfter,
    boolean silenceArmed,
    RestartGovernor governor,
    String problem) {

  /** The same as one that is only reported, for its settings cannot be used. */
  public OperatorSettings unusable(String name, String problem) {
    return new OperatorSettings(
        name, workload, container, signature, false, false, silenceAfter, false, governor, problem);
  }
}
