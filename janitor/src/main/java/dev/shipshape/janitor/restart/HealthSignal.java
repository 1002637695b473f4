package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.util.List;

/** Something by which a stuck operator shows. */
interface HealthSignal {

  /** Whether it may have the operator restarted; otherwise it only alerts. */
  boolean isArmed();

  /**
   * Evaluates one check.
   *
   * @param instances of the operator, at least one
   */
  SignalState evaluate(List<InstanceHealth> instances, Instant now);
}
