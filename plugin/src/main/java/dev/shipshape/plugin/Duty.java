package dev.shipshape.plugin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What shipshape does only where it is armed, each of them apart.
 *
 * @param said as on the command line: {@code guard}, {@code guard=widgets}
 * @param value of the chart, that arms it; as it is said while that is not known
 */
record Duty(String said, String value) {
  private static final String ONE_GUARD = "guard=";

  /** As people say them; those that need no further name. */
  static final class Words implements ITypeConverter<Duty>, Iterable<String> {
    private static final List<String> PLAIN = List.of("guard", "pruning", "restarts");

    @Override
    public Duty convert(String text) {
      var word = text.toLowerCase(Locale.ROOT);
      if (word.startsWith(ONE_GUARD)) {
        return new Duty(word, word);
      }
      if (!PLAIN.contains(word)) {
        throw new TypeConversionException(
            "expected one of %s or guard=NAME, but was '%s'".formatted(PLAIN, text));
      }
      return new Duty(word, word + ".armed");
    }

    @Override
    public Iterator<String> iterator() {
      return PLAIN.iterator();
    }
  }

  /** Whether the janitor does it. */
  boolean isJanitors() {
    return !said.startsWith("guard");
  }

  /** Whether it is one guard's, and its value not known. */
  boolean isNamed() {
    return value.startsWith(ONE_GUARD);
  }

  /**
   * With its value; empty where there is no such guard.
   *
   * @param guards the value that arms each guard, by its name
   */
  Optional<Duty> with(Map<String, String> guards) {
    return isNamed()
        ? Optional.ofNullable(guards.get(said.substring(ONE_GUARD.length())))
            .map(found -> new Duty(said, found))
        : Optional.of(this);
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
                .filter(one -> disarmed.stream().anyMatch(two -> two.value.equals(one.value)))
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

  @Override
  public String toString() {
    return said;
  }
}
