package dev.shipshape.janitor.restart;

import java.time.Duration;

/**
 * A watched operator: an entry of {@code operators} in docs/reference/settings.md.
 *
 * @param problem why its settings are invalid; empty if they are valid
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

  /** Returns these settings as invalid: the operator is only reported, never restarted. */
  public OperatorSettings unusable(String name, String problem) {
    return new OperatorSettings(
        name, workload, container, signature, false, false, silenceAfter, false, governor, problem);
  }
}
