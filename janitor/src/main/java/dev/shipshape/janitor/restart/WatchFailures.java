package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The operator's watch is answered 500, again and again. */
final class WatchFailures implements HealthSignal {

  @Override
  public boolean isArmed() {
    return true;
  }

  @Override
  public SignalState evaluate(List<InstanceHealth> instances, Instant now) {
    return switch (worst(instances)) {
      case Diagnosis.Stuck stuck ->
          new SignalState.Present(
              "%d watch failures from %s to %s"
                  .formatted(stuck.failures(), stuck.first(), stuck.last()));
      case Diagnosis.Healthy _, Diagnosis.Recovered _ -> new SignalState.Absent();
      case Diagnosis.Failing(int failures) ->
          new SignalState.Unknown("%d watch failures are too few to tell".formatted(failures));
      case Diagnosis.Unreadable(String reason) -> new SignalState.Unknown(reason);
    };
  }

  /** With more than one instance (two overlap in a rollout), the one in the worst state counts. */
  static Diagnosis worst(List<InstanceHealth> instances) {
    return instances.stream()
        .map(InstanceHealth::diagnosis)
        .max(Comparator.comparingInt(WatchFailures::severity))
        .orElse(new Diagnosis.Unreadable("there is no instance of the operator"));
  }

  private static int severity(Diagnosis diagnosis) {
    return switch (diagnosis) {
      case Diagnosis.Healthy _ -> 0;
      case Diagnosis.Recovered _ -> 1;
      case Diagnosis.Unreadable _ -> 2;
      case Diagnosis.Failing _ -> 3;
      case Diagnosis.Stuck _ -> 4;
    };
  }
}
