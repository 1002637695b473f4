package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Installer.Plan;
import dev.shipshape.webhook.config.GuardReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An action that must be armed.
 *
 * @param name as on the command line: {@code guard}, {@code guard=widgets}
 */
record Feature(String name) {
  private static final Pattern NAME = Pattern.compile("guard(=.+)?|pruning|restarts");

  static Feature parse(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "expected guard, guard=NAME, pruning or restarts, but was '%s'".formatted(name));
    }
    if (GuardReader.PRESETS.stream()
        .flatMap(preset -> GuardReader.preset(preset).stream())
        .anyMatch(shipped -> name.equals("guard=" + shipped.name()))) {
      throw new IllegalArgumentException(
          name + " is a guard of a preset; these are armed together: guard");
    }
    return new Feature(name);
  }

  boolean isGuard() {
    return name.startsWith("guard");
  }

  /** Whether there is anything that it arms. */
  boolean armsAnything(Plan plan) {
    return switch (name) {
      case "pruning" -> plan.hasJanitor();
      case "restarts" -> plan.hasRestarts();
      case "guard" -> plan.armedGuards().stream().anyMatch(GuardReader.PRESETS::contains);
      default -> plan.armedGuards().contains(name.substring(name.indexOf('=') + 1));
    };
  }

  /** Returns the flags for Helm that arm and disarm features; disarm wins. */
  static List<String> sets(Collection<Feature> armed, Collection<Feature> disarmed) {
    var sets = new ArrayList<String>();
    armed.forEach(feature -> sets.add("--set=" + feature.value() + "=true"));
    disarmed.forEach(feature -> sets.add("--set=" + feature.value() + "=false"));
    return sets;
  }

  private String value() {
    return name.replaceFirst("^guard=", "guard.custom.") + ".armed";
  }
}
