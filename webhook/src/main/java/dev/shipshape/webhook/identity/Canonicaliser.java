package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.shipshape.webhook.identity.Span.Element;
import dev.shipshape.webhook.identity.Span.Member;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Reads a value and writes it in canonical form, rewritten so that what means the same becomes the
 * same. One pass from token to byte, without a tree: a configuration may be megabytes, and the API
 * server sends members sorted already, so that there is seldom anything to move.
 *
 * <p>It takes any JSON: a value that is not of the type a rule expects stays as it is, since a
 * wrong "equal" refuses a good configuration and a wrong "different" only misses a bad one.
 */
final class Canonicaliser {
  private static final Comparator<Member> BY_NAME = Comparator.comparing(Member::name);

  private final JsonParser json;
  private final EmptyValues[] absences;
  private final Utf8Buffer out;

  private Canonicaliser(JsonParser json, Set<EmptyValues> absences, Utf8Buffer out) {
    this.json = json;
    this.absences = absences.toArray(EmptyValues[]::new);
    this.out = out;
  }

  /**
   * Writes a value; null where there is none.
   *
   * @param json before a value that is well-formed, or before nothing
   * @param expected about how many bytes will be written
   * @throws IOException where an object has a member twice
   */
  static Utf8Buffer write(JsonParser json, Set<EmptyValues> absences, RuleTree rules, int expected)
      throws IOException {
    var out = new Utf8Buffer(expected);
    try (json) {
      if (json.nextToken() == null) {
        out.ascii("null");
      } else {
        new Canonicaliser(json, absences, out).value(rules);
      }
    }
    return out;
  }

  /** Writes a value that is within an array, and that a parser has found to be well-formed. */
  static Utf8Buffer write(
      byte[] json, int from, int length, Set<EmptyValues> absences, RuleTree rules)
      throws IOException {
    return write(JsonLimits.FACTORY.createParser(json, from, length), absences, rules, length);
  }

  /** Writes the value of the token that was read last. */
  private void value(RuleTree place) throws IOException {
    switch (json.currentToken()) {
      case START_OBJECT -> object(place);
      case START_ARRAY -> array(place);
      case VALUE_STRING -> text(place);
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> fraction();
      case VALUE_TRUE -> out.ascii("true");
      case VALUE_FALSE -> out.ascii("false");
      case VALUE_NULL, NOT_AVAILABLE -> out.ascii("null");
      default -> throw new IllegalStateException("no JSON: " + json.currentToken());
    }
  }

  private List<Member> object(RuleTree place) throws IOException {
    var from = out.size();
    out.put('{');
    var members = new ArrayList<Member>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      member(members, place);
    }
    if (!place.defaults().isEmpty()) {
      fillIn(members, place);
    }
    var ordered = ordered(members, from + 1);
    out.close('}');
    return ordered;
  }

  private void member(List<Member> members, RuleTree place) throws IOException {
    var name = json.currentName();
    var rules = place.member(name);
    if (rules.dropped()) {
      json.nextToken();
      json.skipChildren();
    } else {
      members.add(member(name, rules));
    }
  }

  private Member member(String name, RuleTree rules) throws IOException {
    var from = out.size();
    copyText();
    out.put(':');
    var value = out.size();
    json.nextToken();
    value(rules);
    var standsFor = rules.defaultValue();
    if (standsFor != null && isAbsent(value)) {
      out.truncate(value);
      out.append(standsFor);
    }
    return finished(name, from, value, rules);
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
    if (out.size() - value > EmptyValues.LONGEST || !EmptyValues.mayBeginWith(out.at(value))) {
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

  private void array(RuleTree place) throws IOException {
    out.put('[');
    var from = out.size();
    if (!place.ordersElements()) {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        value(place.element());
        out.put(',');
      }
    } else {
      order(elements(place), place, from);
    }
    out.close(']');
  }

  private List<Element> elements(RuleTree place) throws IOException {
    var elements = new ArrayList<Element>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
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

  private Element element(RuleTree place) throws IOException {
    var from = out.size();
    if (json.currentToken() == JsonToken.START_OBJECT) {
      var members = object(place);
      return new Element(from, out.size(), members);
    }
    value(place);
    return new Element(from, out.size(), null);
  }

  private void text(RuleTree place) throws IOException {
    var spelling = place.spelling();
    if (spelling == null) {
      copyText();
    } else {
      CanonicalText.write(out, spelling.canonical(json.getText()));
    }
  }

  /** The text, or the name, of the token that was read last. */
  private void copyText() throws IOException {
    var units = json.getTextCharacters();
    var from = json.getTextOffset();
    CanonicalText.write(out, units, from, from + json.getTextLength());
  }

  private void fraction() throws IOException {
    out.ascii(CanonicalNumber.of(new BigDecimal(json.getText())));
  }

  private void integer() throws IOException {
    var units = json.getTextCharacters();
    var from = json.getTextOffset();
    var to = from + json.getTextLength();
    var isNegativeZero = to - from == 2 && units[from] == '-' && units[from + 1] == '0';
    var ignored = out.plain(units, isNegativeZero ? from + 1 : from, to);
  }
}
