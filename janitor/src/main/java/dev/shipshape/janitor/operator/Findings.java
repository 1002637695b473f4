package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.evidence.Evidence;
import dev.shipshape.janitor.evidence.Waiting;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What one look at the operator found.
 *
 * @param waiting the sessions that wait for it, as last listed; empty where unknown
 * @param grounds what a restart would answer to, in one line; empty where nothing calls for one
 */
record Findings(
    Diagnosis diagnosis,
    Map<Evidence.Kind, Evidence> evidence,
    Optional<Waiting> waiting,
    Optional<String> grounds) {

  /** What a restart should make go away. */
  enum Symptom {
    PRESENT,
    GONE,
    UNCLEAR
  }

  Findings {
    evidence = Map.copyOf(evidence);
  }

  /** Whether what a restart would answer to is seen after a time, too. */
  boolean goesOnSince(Instant time) {
    return diagnosis instanceof Diagnosis.Stuck stuck
        ? stuck.last().isAfter(time)
        : grounds.isPresent();
  }

  Symptom symptom() {
    if (grounds.isPresent()) {
      return Symptom.PRESENT;
    }
    return switch (diagnosis) {
      case Diagnosis.Healthy _, Diagnosis.Recovered _ -> Symptom.GONE;
      case Diagnosis.Failing _, Diagnosis.Stuck _, Diagnosis.Unreadable _ -> Symptom.UNCLEAR;
    };
  }
}
