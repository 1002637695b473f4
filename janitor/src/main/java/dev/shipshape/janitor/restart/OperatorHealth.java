package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.util.Optional;

/**
 * What one check of the operator found.
 *
 * @param waiting the sessions that wait for it, as last listed; empty where unknown
 * @param restartReason what a restart would answer to, in one line; empty where nothing calls for
 *     one
 */
record OperatorHealth(
    Diagnosis diagnosis,
    SignalState stall,
    Optional<Waiting> waiting,
    Optional<String> restartReason) {

  /** What a restart should make go away. */
  enum Symptom {
    PRESENT,
    GONE,
    UNCLEAR
  }

  /** Whether what a restart would answer to is seen after a time, too. */
  boolean goesOnSince(Instant time) {
    return diagnosis instanceof Diagnosis.Stuck stuck
        ? stuck.last().isAfter(time)
        : restartReason.isPresent();
  }

  Symptom symptom() {
    if (restartReason.isPresent()) {
      return Symptom.PRESENT;
    }
    return switch (diagnosis) {
      case Diagnosis.Healthy _, Diagnosis.Recovered _ -> Symptom.GONE;
      case Diagnosis.Failing _, Diagnosis.Stuck _, Diagnosis.Unreadable _ -> Symptom.UNCLEAR;
    };
  }
}
