package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Installer.Plan;
import dev.shipshape.webhook.config.GuardReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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

  boolean isOfJanitor() {
    return !name.startsWith("guard");
  }

  /** Why arming it would arm nothing; empty if it would. */
  Optional<String> whyNone(Plan plan) {
    if (isOfJanitor() && !plan.hasJanitor()) {
      return Optional.of(
          name + ": these are the janitor's, and there is none: janitor.enabled=false");
    }
    var guards = plan.armedGuards();
    return switch (name) {
      case "pruning" -> Optional.empty();
      case "restarts" ->
          plan.hasRestarts()
              ? Optional.empty()
              : Optional.of(
                  "restarts: there is no operator to restart: none in operators, or only those with"
                      + " armed: false or a signature whose remedy is report");
      case "guard" ->
          guards.stream().anyMatch(GuardReader.PRESETS::contains)
              ? Optional.empty()
              : Optional.of(
                  "there is no guard of a preset to arm; a guard of your own is armed by its name:"
                      + " --arm guard=NAME");
      default ->
          guards.contains(name.substring(name.indexOf('=') + 1))
              ? Optional.empty()
              : Optional.of(name + ": it only stamps (stampOnly), or the webhook is off");
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
