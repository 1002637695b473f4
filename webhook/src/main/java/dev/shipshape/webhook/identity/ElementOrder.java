package dev.shipshape.webhook.identity;

import dev.shipshape.webhook.identity.Slice.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorts lists whose order means nothing. */
final class ElementOrder {
  private record Keyed(List<SortKey> keys, Element element) implements Comparable<Keyed> {
    @Override
    public int compareTo(Keyed other) {
      for (var at = 0; at < keys.size(); at++) {
        var order = keys.get(at).compareTo(other.keys.get(at));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
  }

  private ElementOrder() {}

  /**
   * The elements sorted, ties keeping their order; unchanged if any key is no integer, text or
   * flag, or where the rule's condition does not hold.
   */
  static List<Element> apply(Rule.Sorted rule, List<Element> elements, Utf8Buffer out) {
    var keyed = new ArrayList<Keyed>(elements.size());
    for (var element : elements) {
      var keys = keys(rule, element, out);
      if (keys == null) {
        return elements;
      }
      keyed.add(new Keyed(keys, element));
    }
    if (!agree(rule, elements, out)) {
      return elements;
    }
    keyed.sort(null);
    var sorted = new ArrayList<Element>(elements.size());
    for (var entry : keyed) {
      sorted.add(entry.element());
    }
    return sorted;
  }

  private static @Nullable List<SortKey> keys(Rule.Sorted rule, Element element, Utf8Buffer out) {
    if (rule.keys().isEmpty()) {
      var key = SortKey.read(out, element.from(), element.to());
      return key == null ? null : List.of(key);
    }
    if (!element.isObject()) {
      return null;
    }
    var keys = new ArrayList<SortKey>(rule.keys().size());
    for (var name : rule.keys()) {
      var member = element.member(name);
      var key =
          member == null ? new SortKey.Absent() : SortKey.read(out, member.value(), member.to());
      if (key == null) {
        return null;
      }
      keys.add(key);
    }
    return keys;
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
