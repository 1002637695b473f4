package dev.shipshape.janitor.restart;

import java.time.Duration;

/**
 * An operator to look after: an entry of {@code operators} in docs/reference/settings.md.
 *
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
