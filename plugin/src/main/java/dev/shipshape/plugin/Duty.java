package dev.shipshape.plugin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What shipshape does only where it is armed, each of them apart. */
enum Duty {
  GUARD("guard.armed"),
  PRUNING("pruning.armed"),
  RESTARTS("restarts.armed");

  private final String value;

  Duty(String value) {
    this.value = value;
  }

  /** What to say about the chart's values to arm some duties and disarm others. */
  static List<String> sets(Collection<Duty> armed, Collection<Duty> disarmed) {
    var sets = new ArrayList<String>();
    armed.forEach(duty -> sets.add("--set=" + duty.value + "=true"));
    disarmed.forEach(duty -> sets.add("--set=" + duty.value + "=false"));
    return sets;
  }

  /** As it is said on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
