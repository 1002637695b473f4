package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** What an operator's log tells. */
public sealed interface Diagnosis {

  /** How metrics and reports name it; the later one is worse. */
  enum Kind {
    /** No failure within the window. */
    HEALTHY,
    /** Failures, and then a line of progress, or none for long: it healed itself. */
    RECOVERED,
    /** The log could not be read, which is no evidence of anything. */
    UNREADABLE,
    /** Failures, but too few to tell. */
    FAILING,
    /** Failures again and again, and no progress since. */
    STUCK
  }

  Kind kind();

  /** In one line; empty if there is nothing to say. */
  default String detail() {
    return "";
  }

  record Healthy() implements Diagnosis {
    @Override
    public Kind kind() {
      return Kind.HEALTHY;
    }
  }

  record Failing(int failures) implements Diagnosis {
    @Override
    public Kind kind() {
      return Kind.FAILING;
    }

    @Override
    public String detail() {
      return "%d failures are too few to tell".formatted(failures);
    }
  }

  record Recovered(Instant progress) implements Diagnosis {
    @Override
    public Kind kind() {
      return Kind.RECOVERED;
    }
  }

  /**
   * Failures again and again.
   *
   * @param source the log that shows it
   */
  record Stuck(String source, int failures, Instant first, Instant last) implements Diagnosis {
    @Override
    public Kind kind() {
      return Kind.STUCK;
    }

    @Override
    public String detail() {
      return "%d failures from %s to %s".formatted(failures, first, last);
    }
  }

  record Unreadable(String reason) implements Diagnosis {
    @Override
    public Kind kind() {
      return Kind.UNREADABLE;
    }

    @Override
    public String detail() {
      return reason;
    }
  }

  /**
   * With more than one instance (two overlap in a rollout), the one in the worst state counts. Of
   * instances for a node each, more than half must be stuck: a restart is of all.
   */
  static Diagnosis of(List<InstanceHealth> instances, boolean isPerNode) {
    if (instances.isEmpty()) {
      return new Unreadable("there is no instance of the operator");
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
