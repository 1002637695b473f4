package dev.shipshape.plugin.command;

import dev.shipshape.webhook.config.GuardReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An action that must be armed.
 *
 * @param name as on the command line: {@code guard}, {@code guard=widgets}
 * @param value the chart's value that arms it
 */
record Feature(String name, String value) {
  private static final String ONE_GUARD = "guard=";

  /** Parses a name, and completes names without a parameter. */
  static final class Converter implements ITypeConverter<Feature>, Iterable<String> {
    private static final List<String> PLAIN = List.of("guard", "pruning", "restarts");

    @Override
    public Feature convert(String text) {
      var name = text.toLowerCase(Locale.ROOT);
      if (name.startsWith(ONE_GUARD)) {
        var guard = name.substring(ONE_GUARD.length());
        if (GuardReader.PRESETS.stream()
            .flatMap(preset -> GuardReader.preset(preset).stream())
            .anyMatch(shipped -> shipped.name().equals(guard))) {
          throw new TypeConversionException(
              guard + " is a guard of a preset; these are armed together: guard");
        }
        return new Feature(name, "guard.custom.%s.armed".formatted(guard));
      }
      if (!PLAIN.contains(name)) {
        throw new TypeConversionException(
            "expected one of %s or guard=NAME, but was '%s'".formatted(PLAIN, text));
      }
      return new Feature(name, name + ".armed");
    }

    @Override
    public Iterator<String> iterator() {
      return PLAIN.iterator();
    }
  }

  boolean isOfJanitor() {
    return !name.startsWith("guard");
  }

  /** Returns the flags for Helm that arm and disarm features; disarm wins. */
  static List<String> sets(Collection<Feature> armed, Collection<Feature> disarmed) {
    var sets = new ArrayList<String>();
    armed.forEach(feature -> sets.add("--set=" + feature.value + "=true"));
    disarmed.forEach(feature -> sets.add("--set=" + feature.value + "=false"));
    return sets;
  }

  @Override
  public String toString() {
    return name;
  }
}
