package dev.shipshape.webhook.identity;

import dev.shipshape.webhook.identity.Span.Element;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorts lists whose order means nothing. */
final class ElementOrder {
  /** An element and what it is sorted by: most have one key, for which a list would be large. */
  private record Keyed(SortKey first, List<SortKey> more, Element element)
      implements Comparable<Keyed> {
    @Override
    public int compareTo(Keyed other) {
      var order = first.compareTo(other.first);
      for (var at = 0; order == 0 && at < more.size(); at++) {
        order = more.get(at).compareTo(other.more.get(at));
      }
      return order;
    }
  }

  private ElementOrder() {}

  /**
   * The elements sorted, ties keeping their order; unchanged if any key is no integer, text or
   * flag, or where the rule's condition does not hold.
   */
  static List<Element> apply(Rule.Sorted rule, List<Element> elements, Utf8Buffer out) {
    if (elements.size() < 2) {
      return elements;
    }
    var keyed = new Keyed[elements.size()];
    for (var at = 0; at < keyed.length; at++) {
      var one = keyed(rule, elements.get(at), out);
      if (one == null) {
        return elements;
      }
      keyed[at] = one;
    }
    if (!agree(rule, elements, out)) {
      return elements;
    }
    Arrays.sort(keyed);
    var sorted = new ArrayList<Element>(keyed.length);
    for (var entry : keyed) {
      sorted.add(entry.element());
    }
    return sorted;
  }

  private static @Nullable Keyed keyed(Rule.Sorted rule, Element element, Utf8Buffer out) {
    var names = rule.keys();
    var first =
        names.isEmpty()
            ? SortKey.read(out, element.from(), element.to())
            : key(names.getFirst(), element, out);
    if (first == null || names.size() <= 1) {
      return first == null ? null : new Keyed(first, List.of(), element);
    }
    var more = new ArrayList<SortKey>(names.size() - 1);
    for (var name : names.subList(1, names.size())) {
      var key = key(name, element, out);
      if (key == null) {
        return null;
      }
      more.add(key);
    }
    return new Keyed(first, more, element);
  }

  private static @Nullable SortKey key(String name, Element element, Utf8Buffer out) {
    if (!element.isObject()) {
      return null;
    }
    var member = element.member(name);
    return member == null ? new SortKey.Absent() : SortKey.read(out, member.value(), member.to());
  }

  private static boolean agree(Rule.Sorted rule, List<Element> elements, Utf8Buffer out) {
    var agreeing = rule.agreeing();
    if (agreeing == null) {
      return true;
    }
    var first = new HashMap<String, String>();
    for (var element : elements) {
      var value = written(element, agreeing, out);
      var before = first.putIfAbsent(written(element, rule.keys().getFirst(), out), value);
      if (before != null && !before.equals(value)) {
        return false;
      }
    }
    return true;
  }

  /** The member's value as JSON; empty where there is none. */
  private static String written(Element element, String name, Utf8Buffer out) {
    var member = element.member(name);
    return member == null ? "" : out.text(member.value(), member.to());
  }
}
