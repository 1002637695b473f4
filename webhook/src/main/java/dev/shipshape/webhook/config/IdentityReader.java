package dev.shipshape.webhook.config;

import dev.shipshape.service.Section;
import dev.shipshape.webhook.identity.EmptyValues;
import dev.shipshape.webhook.identity.FieldPath;
import dev.shipshape.webhook.identity.Identity;
import dev.shipshape.webhook.identity.Rule;
import dev.shipshape.webhook.identity.TextFormat;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** Reads the rules of an identity from settings. */
final class IdentityReader {
  private IdentityReader() {}

  /** The identity; empty, with the mistakes reported, where it cannot be made. */
  static Optional<Identity> read(Section section) {
    var content = section.required("content");
    var absences = EnumSet.noneOf(EmptyValues.class);
    absences.addAll(section.texts("absent", text -> Section.constant(EmptyValues.class, text)));
    var rules = new ArrayList<Rule>();
    rules.addAll(section.texts("drop", place -> new Rule.Drop(FieldPath.parse(place))));
    rules.addAll(section.texts("secret", place -> new Rule.Secret(FieldPath.parse(place))));
    rules.addAll(
        section.entries(
            "defaults",
            (place, value) ->
                new Rule.Default(FieldPath.parse(place), StatusConditions.value(value))));
    rules.addAll(
        section.entries(
            "sameAsAbsent",
            (place, value) ->
                new Rule.SameAsAbsent(FieldPath.parse(place), StatusConditions.value(value))));
    rules.addAll(
        section.entries(
            "spelling",
            (place, kind) ->
                new Rule.Spelled(
                    FieldPath.parse(place), Section.constant(TextFormat.class, kind))));
    section.sections("sequences").forEach(rule -> sequence(rule).ifPresent(rules::add));
    section.sections("sorted").forEach(rule -> sorted(rule).ifPresent(rules::add));
    try {
      return Optional.of(new Identity(content, absences, rules));
    } catch (IllegalArgumentException e) {
      section.problem("content", String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static Optional<Rule> sequence(Section rule) {
    var field = rule.required("field");
    var absent = rule.choice("absent", Rule.AbsentNumber.POSITION);
    return list(rule).map(path -> new Rule.Sequence(path, field, absent));
  }

  private static Optional<Rule> sorted(Section rule) {
    var keys = rule.texts("by", List.of());
    var agreeing = rule.text("agreeing").orElse(null);
    if (agreeing != null && keys.isEmpty()) {
      rule.problem("agreeing", "needs by, whose first field says which elements must agree");
    }
    return list(rule).map(path -> new Rule.Sorted(path, keys, agreeing));
  }

  private static Optional<FieldPath> list(Section rule) {
    var text = rule.required("list");
    return text.isEmpty()
        ? Optional.empty()
        : rule.parsed("list", Optional.empty(), _ -> Optional.of(FieldPath.parse(text)));
  }
}
