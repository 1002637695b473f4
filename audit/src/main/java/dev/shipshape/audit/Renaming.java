package dev.shipshape.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Replaces names of one run by those of another one: test runners generate new ones for each. */
final class Renaming {
  /** The share of equal requests that two names need to be paired. */
  private static final double MIN_SHARE = 0.5;

  private final Map<String, String> names;
  private final Pattern words;

  /**
   * @param names of one run, by those of the other one
   */
  Renaming(Map<String, String> names) {
    this.names = Map.copyOf(names);
    // The longest first: one may contain another.
    words =
        Pattern.compile(
            names.keySet().stream()
                .sorted((one, other) -> other.length() - one.length())
                .map(Pattern::quote)
                .collect(Collectors.joining("|", "(?<![\\w-])(?:", ")(?![\\w-])")));
  }

  String of(String text) {
    return names.isEmpty()
        ? text
        : words
            .matcher(text)
            .replaceAll(found -> Matcher.quoteReplacement(names.getOrDefault(found.group(), "")));
  }

  /**
   * Pairs names that only one run has with names of the other one that have the same stem and
   * similar requests.
   *
   * @param before the requests by name
   */
  static Map<String, String> pairs(
      Map<String, Set<String>> before, Map<String, Set<String>> after) {
    var left =
        before.keySet().stream()
            .filter(name -> !after.containsKey(name))
            .collect(
                Collectors.groupingBy(Renaming::stem, Collectors.toCollection(ArrayList::new)));
    var pairs = new LinkedHashMap<String, String>();
    after.forEach(
        (name, done) -> {
          var others = left.getOrDefault(stem(name), new ArrayList<>());
          if (!before.containsKey(name)) {
            best(done, others, before)
                .ifPresent(
                    other -> {
                      pairs.put(name, other);
                      others.remove(other);
                    });
          }
        });
    return pairs;
  }

  private static Optional<String> best(
      Set<String> done, List<String> others, Map<String, Set<String>> before) {
    ToDoubleFunction<String> share = other -> share(done, before.getOrDefault(other, Set.of()));
    return others.stream()
        .filter(other -> share.applyAsDouble(other) >= MIN_SHARE)
        .max(Comparator.comparingDouble(share));
  }

  private static double share(Set<String> one, Set<String> other) {
    var both = one.stream().filter(other::contains).count();
    return (double) both / (one.size() + other.size() - both);
  }

  /** Returns the first part of a name, if the others may be generated; else all of it. */
  private static String stem(String name) {
    var dash = name.indexOf('-');
    return dash < 0 ? name : name.substring(0, dash);
  }
}
