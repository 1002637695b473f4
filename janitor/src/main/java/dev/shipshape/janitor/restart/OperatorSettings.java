package dev.shipshape.janitor.restart;

import java.time.Duration;

/** A watched operator: an entry of {@code operators} in docs/reference/settings.md. */
public record OperatorSettings(
    String name,
    Workload workload,
    String container,
    Signature signature,
    boolean ownsSessions,
    boolean armed,
    Duration silenceAfter,
    boolean silenceArmed,
    RestartGovernor governor) {

  /** How long after a start no symptom may show until it is cured. */
  Duration cureWindow(Duration checkEvery) {
    return silenceArmed ? silenceAfter.plus(checkEvery.multipliedBy(2)) : signature.window();
  }
}
