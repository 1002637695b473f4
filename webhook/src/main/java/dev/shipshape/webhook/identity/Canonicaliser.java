package dev.shipshape.webhook.identity;

import dev.shipshape.webhook.identity.Slice.Element;
import dev.shipshape.webhook.identity.Slice.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Reads a value and writes it in canonical form, rewritten so that what means the same becomes the
 * same. One pass from byte to byte, without a tree: a configuration may be megabytes, and the API
 * server sends members sorted already, so that there is seldom anything to move.
 *
 * <p>It takes any JSON: a value that is not of the type a rule expects stays as it is, since a
 * wrong "equal" refuses a good configuration and a wrong "different" only misses a bad one.
 */
final class Canonicaliser {
  private static final Comparator<Member> BY_NAME = Comparator.comparing(Member::name);

  private final JsonBytes json;
  private final Absence[] absences;
  private final Utf8Buffer out;
  private final Names names = new Names();

  private Canonicaliser(JsonBytes json, Set<Absence> absences, Utf8Buffer out) {
    this.json = json;
    this.absences = absences.toArray(Absence[]::new);
    this.out = out;
  }

  /**
   * Writes a value; null where there is none.
   *
   * @param json a value that is well-formed, or nothing
   * @param expected about how many bytes will be written
   * @throws RepeatedMember where an object has a member twice
   */
  static Utf8Buffer write(JsonBytes json, Set<Absence> absences, RuleTree rules, int expected)
      throws RepeatedMember {
    var out = new Utf8Buffer(expected);
    if (json.isEmpty()) {
      out.ascii("null");
    } else {
      new Canonicaliser(json, absences, out).value(rules);
    }
    return out;
  }

  /** Writes a value that is within an array, by these rules alone. */
  static Utf8Buffer write(byte[] json, int from, int length, RuleTree rules) throws RepeatedMember {
    return write(new JsonBytes(json, from, length), Set.of(), rules, length);
  }

  private void value(RuleTree place) throws RepeatedMember {
    switch (json.next()) {
      case '{' -> object(place);
      case '[' -> array(place);
      case '"' -> text(place);
      case 't', 'n' -> json.copyLiteral(out, "true".length());
      case 'f' -> json.copyLiteral(out, "false".length());
      default -> json.copyNumber(out);
    }
  }

  private List<Member> object(RuleTree place) throws RepeatedMember {
    var from = out.size();
    out.put('{');
    var members = new ArrayList<Member>();
    for (var more = json.enter('}'); more; more = json.hasMore('}')) {
      member(members, place);
    }
    if (!place.defaults().isEmpty()) {
      fillIn(members, place);
    }
    var ordered = ordered(members, from + 1);
    out.close('}');
    return ordered;
  }

  private void member(List<Member> members, RuleTree place) throws RepeatedMember {
    json.next();
    var name = json.name(names);
    var rules = name.rules(place);
    json.next();
    json.take();
    if (rules.dropped()) {
      json.skip();
    } else {
      members.add(member(name, rules));
    }
  }

  private Member member(Names.Name name, RuleTree rules) throws RepeatedMember {
    var from = out.size();
    out.append(name.written());
    out.put(':');
    var value = out.size();
    value(rules);
    var standsFor = rules.defaultValue();
    if (standsFor != null && isAbsent(value)) {
      out.truncate(value);
      out.append(standsFor);
    }
    return finished(name.text(), from, value, rules);
  }

  /** Takes a member out that means the same as none. */
  private Member finished(String name, int from, int value, RuleTree rules) {
    if (isAbsent(value) || rules.countsAsAbsent(out, value)) {
      out.truncate(from);
      return new Member(name, from, from, from);
    }
    out.put(',');
    return new Member(name, from, value, out.size() - 1);
  }

  private boolean isAbsent(int value) {
    if (out.size() - value > Absence.LONGEST || !Absence.mayBeginWith(out.at(value))) {
      return false;
    }
    for (var absence : absences) {
      if (absence.wasWritten(out, value)) {
        return true;
      }
    }
    return false;
  }

  private void fillIn(List<Member> members, RuleTree place) {
    place
        .defaults()
        .forEach(
            (name, rules) -> {
              if (members.stream().noneMatch(member -> member.name().equals(name))) {
                var from = out.size();
                CanonicalText.write(out, name);
                out.put(':');
                var value = out.size();
                out.append(rules.requiredDefault());
                members.add(finished(name, from, value, rules));
              }
            });
  }

  /** Brings the members that were written from this place on into the order of their names. */
  private List<Member> ordered(List<Member> members, int from) throws RepeatedMember {
    var wasOrdered = isOrdered(members);
    if (!wasOrdered) {
      members.sort(BY_NAME);
      refuseTwins(members);
    }
    members.removeIf(Member::isAbsent);
    if (wasOrdered) {
      return members;
    }
    out.rearrange(from, members);
    var place = from;
    for (var moving = members.listIterator(); moving.hasNext(); ) {
      var moved = moving.next().movedTo(place);
      moving.set(moved);
      place = moved.to() + 1;
    }
    return members;
  }

  private static boolean isOrdered(List<Member> members) {
    for (var next = 1; next < members.size(); next++) {
      if (BY_NAME.compare(members.get(next - 1), members.get(next)) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static void refuseTwins(List<Member> members) throws RepeatedMember {
    for (var next = 1; next < members.size(); next++) {
      if (members.get(next - 1).name().equals(members.get(next).name())) {
        throw new RepeatedMember(members.get(next).name());
      }
    }
  }

  private void array(RuleTree place) throws RepeatedMember {
    out.put('[');
    var from = out.size();
    if (!place.ordersElements()) {
      for (var more = json.enter(']'); more; more = json.hasMore(']')) {
        value(place.element());
        out.put(',');
      }
    } else {
      order(elements(place), place, from);
    }
    out.close(']');
  }

  private List<Element> elements(RuleTree place) throws RepeatedMember {
    var elements = new ArrayList<Element>();
    for (var more = json.enter(']'); more; more = json.hasMore(']')) {
      elements.add(element(place.element()));
      out.put(',');
    }
    return elements;
  }

  /** Brings the elements that were written from this place on into the order of the rules. */
  private void order(List<Element> elements, RuleTree place, int from) {
    var sequence = place.sequence();
    var numbered = sequence == null ? elements : SequenceNumbers.apply(sequence, elements, out);
    var sorted = place.sorted();
    var ordered = sorted == null ? numbered : ElementOrder.apply(sorted, numbered, out);
    if (!isSame(ordered, elements)) {
      out.rearrange(from, ordered);
    }
  }

  /** Whether these are the same elements in the same order. */
  private static boolean isSame(List<Element> ordered, List<Element> elements) {
    for (var at = 0; at < elements.size(); at++) {
      if (ordered.get(at).from() != elements.get(at).from()) {
        return false;
      }
    }
    return true;
  }

  private Element element(RuleTree place) throws RepeatedMember {
    var from = out.size();
    if (json.next() == '{') {
      var members = object(place);
      return new Element(from, out.size(), members);
    }
    value(place);
    return new Element(from, out.size(), null);
  }

  private void text(RuleTree place) {
    var spelling = place.spelling();
    if (!json.copyPlainText(out, spelling)) {
      var text = json.text();
      CanonicalText.write(out, spelling == null ? text : spelling.canonical(text));
    }
  }
}
