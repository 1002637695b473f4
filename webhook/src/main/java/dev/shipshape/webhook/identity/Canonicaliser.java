package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.shipshape.webhook.identity.Slice.Element;
import dev.shipshape.webhook.identity.Slice.Member;
import java.io.IOException;
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

  private final Absence[] absences;
  private final Utf8Buffer out;

  /** The characters of a name, in an array that is used again. */
  private char[] unwritten = new char[64];

  private Canonicaliser(Set<Absence> absences, Utf8Buffer out) {
    this.absences = absences.toArray(Absence[]::new);
    this.out = out;
  }

  /**
   * Writes the value whose first token comes next; null where none comes.
   *
   * @param expected about how many bytes will be written
   * @throws IOException where it is no JSON, or has a member twice
   */
  static Utf8Buffer write(JsonParser parser, Set<Absence> absences, RuleTree rules, int expected)
      throws IOException {
    var out = new Utf8Buffer(expected);
    if (parser.nextToken() == null) {
      out.ascii("null");
    } else {
      new Canonicaliser(absences, out).value(parser, rules);
    }
    return out;
  }

  private void value(JsonParser parser, RuleTree place) throws IOException {
    switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, place);
      case START_ARRAY -> array(parser, place);
      case VALUE_STRING -> text(parser, place);
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> out.ascii(CanonicalNumber.of(parser.getDecimalValue()));
      case VALUE_TRUE -> out.ascii("true");
      case VALUE_FALSE -> out.ascii("false");
      case VALUE_NULL -> out.ascii("null");
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new JsonParseException(parser, "not a value: " + parser.currentToken());
    }
  }

  private List<Member> object(JsonParser parser, RuleTree place) throws IOException {
    var from = out.size();
    out.put('{');
    var members = new ArrayList<Member>();
    for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      var rules = place.member(name);
      parser.nextToken();
      if (rules.dropped()) {
        parser.skipChildren();
      } else {
        members.add(member(parser, name, rules));
      }
    }
    if (!place.defaults().isEmpty()) {
      fillIn(members, place);
    }
    var ordered = ordered(parser, members, from + 1);
    out.close('}');
    return ordered;
  }

  private Member member(JsonParser parser, String name, RuleTree rules) throws IOException {
    var from = out.size();
    name(name);
    var value = out.size();
    value(parser, rules);
    var standsFor = rules.defaultValue();
    if (standsFor != null && isAbsent(value)) {
      out.truncate(value);
      out.append(standsFor);
    }
    return finished(name, from, value, rules);
  }

  private void name(String name) {
    var length = name.length();
    if (unwritten.length < length) {
      unwritten = new char[length];
    }
    name.getChars(0, length, unwritten, 0);
    CanonicalText.write(out, unwritten, 0, length);
    out.put(':');
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
    if (out.size() - value > Absence.LONGEST) {
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
                name(name);
                var value = out.size();
                out.append(rules.requiredDefault());
                members.add(finished(name, from, value, rules));
              }
            });
  }

  /** Brings the members that were written from this place on into the order of their names. */
  private List<Member> ordered(JsonParser parser, List<Member> members, int from)
      throws JsonParseException {
    var wasOrdered = isOrdered(members);
    if (!wasOrdered) {
      members.sort(BY_NAME);
      refuseTwins(parser, members);
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

  private static void refuseTwins(JsonParser parser, List<Member> members)
      throws JsonParseException {
    for (var next = 1; next < members.size(); next++) {
      if (members.get(next - 1).name().equals(members.get(next).name())) {
        throw new JsonParseException(
            parser, "an object has the member %s twice".formatted(members.get(next).name()));
      }
    }
  }

  private void array(JsonParser parser, RuleTree place) throws IOException {
    out.put('[');
    var from = out.size();
    if (!place.ordersElements()) {
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        value(parser, place.element());
        out.put(',');
      }
    } else {
      order(elements(parser, place), place, from);
    }
    out.close(']');
  }

  private List<Element> elements(JsonParser parser, RuleTree place) throws IOException {
    var elements = new ArrayList<Element>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(element(parser, place.element()));
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

  private Element element(JsonParser parser, RuleTree place) throws IOException {
    var from = out.size();
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      var members = object(parser, place);
      return new Element(from, out.size(), members);
    }
    value(parser, place);
    return new Element(from, out.size(), null);
  }

  private void text(JsonParser parser, RuleTree place) throws IOException {
    var spelling = place.spelling();
    if (spelling != null) {
      CanonicalText.write(out, spelling.canonical(parser.getText()));
    } else {
      CanonicalText.write(
          out, parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    }
  }

  private void integer(JsonParser parser) throws IOException {
    var digits = parser.getTextCharacters();
    var from = parser.getTextOffset();
    var length = parser.getTextLength();
    var isNegativeZero = length == 2 && digits[from] == '-' && digits[from + 1] == '0';
    out.plain(digits, isNegativeZero ? from + 1 : from, from + length);
  }
}
