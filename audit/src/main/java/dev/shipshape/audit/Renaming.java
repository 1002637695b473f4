package dev.shipshape.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
    var left = new ArrayList<>(before.keySet());
    left.removeAll(after.keySet());
    var pairs = new LinkedHashMap<String, String>();
    after.forEach(
        (name, done) -> {
          if (!before.containsKey(name)) {
            best(name, done, left, before)
                .ifPresent(
                    other -> {
                      pairs.put(name, other);
                      left.remove(other);
                    });
          }
        });
    return pairs;
  }

  private static Optional<String> best(
      String name, Set<String> done, List<String> left, Map<String, Set<String>> before) {
    var shares = new TreeMap<Double, String>();
    for (var other : left) {
      if (stem(name).equals(stem(other))) {
        shares.putIfAbsent(share(done, before.getOrDefault(other, Set.of())), other);
      }
    }
    return Optional.ofNullable(shares.lastEntry())
        .filter(best -> best.getKey() >= MIN_SHARE)
        .map(Map.Entry::getValue);
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
