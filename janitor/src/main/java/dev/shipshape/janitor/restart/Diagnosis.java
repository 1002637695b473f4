package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The diagnosis of an operator by its log.
 *
 * @param detail one line; may be empty
 * @param time of the last failure if it is stuck, of the progress if it has recovered; else null
 */
public record Diagnosis(Kind kind, String detail, @Nullable Instant time) {
  /** See docs/concepts/restarts.md#how-the-log-is-read. In order: the last is the worst. */
  public enum Kind {
    HEALTHY,
    RECOVERED,
    UNREADABLE,
    FAILING,
    STUCK
  }

  static Diagnosis healthy() {
    return new Diagnosis(Kind.HEALTHY, "", null);
  }

  static Diagnosis failing(int failures) {
    return new Diagnosis(
        Kind.FAILING, failures + " failures: too few, or not for long enough", null);
  }

  static Diagnosis recovered(Instant progress) {
    return new Diagnosis(Kind.RECOVERED, "", progress);
  }

  static Diagnosis stuck(int failures, Instant first, Instant last) {
    return new Diagnosis(
        Kind.STUCK, "%d failures from %s to %s".formatted(failures, first, last), last);
  }

  static Diagnosis unreadable(String reason) {
    return new Diagnosis(Kind.UNREADABLE, reason, null);
  }

  /**
   * Combines the diagnoses of all instances: the worst counts (two instances overlap in a rollout).
   * A crashing instance does not count beside others: a restart does not help it, and would end the
   * one that works. With one instance per node, more than half must be stuck, because a restart
   * restarts all.
   */
  static Diagnosis of(List<InstanceHealth> instances, boolean isPerNode) {
    if (instances.isEmpty()) {
      return unreadable("there is no instance of the operator");
    }
    var steady = instances.stream().filter(each -> !each.isCrashing()).toList();
    var counted = steady.isEmpty() || isPerNode ? instances : steady;
    var last = counted.size() - 1;
    return counted.stream()
        .map(InstanceHealth::diagnosis)
        .sorted(Comparator.comparing(Diagnosis::kind))
        .skip(isPerNode ? last / 2 : last)
        .findFirst()
        .orElseThrow();
  }
}
