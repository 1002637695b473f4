package dev.shipshape.plugin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What shipshape does only where it is armed, each of them apart. */
enum Duty {
  GUARD("guard.armed"),
  PRUNING("pruning.armed"),
  RESTARTS("restarts.armed");

  private final String value;

  Duty(String value) {
    this.value = value;
  }

  /** Whether the janitor does it. */
  boolean isJanitors() {
    return this != GUARD;
  }

  /** What to say about the chart's values to arm some duties and disarm others. */
  static List<String> sets(Collection<Duty> armed, Collection<Duty> disarmed) {
    var sets = new ArrayList<String>();
    armed.forEach(duty -> sets.add("--set=" + duty.value + "=true"));
    disarmed.forEach(duty -> sets.add("--set=" + duty.value + "=false"));
    return sets;
  }

  /**
   * What is said against itself, in one line; empty where there is no such thing.
   *
   * @param values as flags for Helm, such as {@code --set=guard.armed=true}
   */
  static Optional<String> contradiction(
      Collection<Duty> armed, Collection<Duty> disarmed, List<String> values) {
    return Stream.concat(
            armed.stream()
                .filter(disarmed::contains)
                .map("%1$s cannot be armed and disarmed at once: say --arm or --disarm"::formatted),
            Stream.concat(
                armed.stream().flatMap(duty -> duty.against(true, values)),
                disarmed.stream().flatMap(duty -> duty.against(false, values))))
        .findFirst();
  }

  private Stream<String> against(boolean arm, List<String> values) {
    var opposite = "%s=%s".formatted(value, !arm);
    return values.stream()
        .map(flag -> flag.substring(flag.indexOf('=') + 1))
        .flatMap(said -> Arrays.stream(said.split(",", -1)))
        .filter(opposite::equals)
        .map(
            said ->
                "--%s %s and %s contradict each other: say one of them"
                    .formatted(arm ? "arm" : "disarm", this, said));
  }

  /** As it is said on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
