package dev.shipshape.webhook.identity;

import dev.shipshape.webhook.identity.Span.Element;
import dev.shipshape.webhook.identity.Span.Member;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes sequence numbers effective and brings the elements into their order. */
final class SequenceNumbers {
  private record Numbered(long number, Element element) {}

  private final Rule.Sequence rule;
  private final Utf8Buffer out;

  private SequenceNumbers(Rule.Sequence rule, Utf8Buffer out) {
    this.rule = rule;
    this.out = out;
  }

  /** The list as it takes effect; unchanged if any element is no object or any number no number. */
  static List<Element> apply(Rule.Sequence rule, List<Element> elements, Utf8Buffer out) {
    return new SequenceNumbers(rule, out).apply(elements);
  }

  private List<Element> apply(List<Element> elements) {
    var own = new ArrayList<Long>(elements.size());
    for (var element : elements) {
      var number = number(element);
      if (number == null) {
        return elements;
      }
      own.add(number);
    }
    var numbered = new ArrayList<Numbered>(elements.size());
    for (var at = 0; at < elements.size(); at++) {
      numbered.add(effective(own.get(at), elements.get(at), at + 1));
    }
    numbered.sort(Comparator.comparingLong(Numbered::number));
    return numbered.stream().map(Numbered::element).toList();
  }

  /** The element's own number, 0 where it has none; null where it cannot have one. */
  private @Nullable Long number(Element element) {
    var member = element.member(rule.field());
    if (member == null) {
      return element.isObject() ? 0L : null;
    }
    return SortKey.read(out, member.value(), member.to()) instanceof SortKey.Whole(var value)
        ? Long.valueOf(value)
        : null;
  }

  private Numbered effective(long own, Element element, int position) {
    if (own > 0) {
      return new Numbered(own, element);
    }
    return switch (rule.absent()) {
      case POSITION -> new Numbered(position, withNumber(element, position));
      case ZERO -> new Numbered(own, element);
    };
  }

  /** The element once more, with this number instead of its own. */
  private Element withNumber(Element element, int number) {
    var members = new ArrayList<Member>();
    members.add(member(number));
    for (var member : element.members() == null ? List.<Member>of() : element.members()) {
      if (!member.name().equals(rule.field())) {
        members.add(member);
      }
    }
    members.sort(Comparator.comparing(Member::name));
    return copied(members);
  }

  private Member member(int number) {
    var from = out.size();
    CanonicalText.write(out, rule.field());
    out.put(':');
    var value = out.size();
    out.ascii(BigInteger.valueOf(number).toString());
    return new Member(rule.field(), from, value, out.size());
  }

  private Element copied(List<Member> members) {
    var from = out.size();
    var copies = new ArrayList<Member>(members.size());
    out.put('{');
    for (var member : members) {
      copies.add(member.movedTo(out.size()));
      out.repeat(member);
      out.put(',');
    }
    out.close('}');
    return new Element(from, out.size(), copies);
  }
}
