package dev.shipshape.plugin.command;

import java.time.Duration;

/** Durations as people say them: the two largest units. */
final class Age {
  private Age() {}

  static String of(Duration age) {
    if (age.isNegative()) {
      return "in the future";
    }
    if (age.toDays() > 0) {
      return "%dd %dh".formatted(age.toDays(), age.toHoursPart());
    }
    return age.toHours() > 0
        ? "%dh %dm".formatted(age.toHours(), age.toMinutesPart())
        : "%dm %ds".formatted(age.toMinutes(), age.toSecondsPart());
  }
}
