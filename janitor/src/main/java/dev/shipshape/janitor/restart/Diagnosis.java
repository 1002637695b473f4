package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operator's log tells.
 *
 * @param detail in one line; empty if there is nothing to say
 * @param time of the last failure if it is stuck, of the progress if it has recovered; else null
 */
public record Diagnosis(Kind kind, String detail, @Nullable Instant time) {
  /** See docs/concepts/restarts.md#how-the-log-is-read; the later one is worse. */
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
    return new Diagnosis(Kind.FAILING, failures + " failures are too few to tell", null);
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
   * With more than one instance (two overlap in a rollout), the one in the worst state counts. Of
   * instances for a node each, more than half must be stuck: a restart is of all.
   */
  static Diagnosis of(List<InstanceHealth> instances, boolean isPerNode) {
    if (instances.isEmpty()) {
      return unreadable("there is no instance of the operator");
    }
    var last = instances.size() - 1;
    return instances.stream()
        .map(InstanceHealth::diagnosis)
        .sorted(Comparator.comparing(Diagnosis::kind))
        .skip(isPerNode ? last / 2 : last)
        .findFirst()
        .orElseThrow();
  }
}
