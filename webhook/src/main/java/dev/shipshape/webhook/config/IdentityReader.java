package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.service.Section;
import dev.shipshape.webhook.identity.EmptyValues;
import dev.shipshape.webhook.identity.FieldPath;
import dev.shipshape.webhook.identity.Identity;
import dev.shipshape.webhook.identity.Rule;
import dev.shipshape.webhook.identity.TextFormat;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads the rules of an identity from settings. */
final class IdentityReader {
  private final Section section;
  private final List<Rule> rules = new ArrayList<>();

  private IdentityReader(Section section) {
    this.section = section;
  }

  /** The identity; empty, with the mistakes reported, where it cannot be made. */
  static Optional<Identity> read(Section section) {
    return new IdentityReader(section).read();
  }

  private Optional<Identity> read() {
    var content = section.required("content");
    var absences = absences();
    paths("drop", Rule.Drop::new);
    paths("secret", Rule.Secret::new);
    values("defaults", Rule.Default::new);
    values("sameAsAbsent", Rule.SameAsAbsent::new);
    section.textMap("spelling").forEach(this::spelling);
    section.sections("sequences").forEach(this::sequence);
    section.sections("sorted").forEach(this::sorted);
    try {
      return Optional.of(new Identity(content, absences, rules));
    } catch (IllegalArgumentException e) {
      section.problem("content", String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private Set<EmptyValues> absences() {
    var absences = EnumSet.noneOf(EmptyValues.class);
    for (var text : section.texts("absent", List.of())) {
      constant("absent", EmptyValues.class, text).ifPresent(absences::add);
    }
    return absences;
  }

  private void paths(String field, Function<FieldPath, Rule> rule) {
    section
        .texts(field, List.of())
        .forEach(text -> path(section, field, text).map(rule).ifPresent(rules::add));
  }

  private void values(String field, BiFunction<FieldPath, JsonNode, Rule> rule) {
    section
        .textMap(field)
        .forEach(
            (place, value) ->
                path(section, field, place)
                    .map(path -> rule.apply(path, JsonText.read(value)))
                    .ifPresent(rules::add));
  }

  private void spelling(String place, String kind) {
    var spelling = constant("spelling", TextFormat.class, kind);
    path(section, "spelling", place)
        .flatMap(path -> spelling.map(known -> new Rule.Spelled(path, known)))
        .ifPresent(rules::add);
  }

  private void sequence(Section rule) {
    var field = rule.required("field");
    var absent = rule.choice("absent", Rule.AbsentNumber.POSITION);
    path(rule, "list", rule.required("list"))
        .ifPresent(path -> rules.add(new Rule.Sequence(path, field, absent)));
  }

  private void sorted(Section rule) {
    var keys = rule.texts("by", List.of());
    var agreeing = rule.text("agreeing").orElse(null);
    var list = path(rule, "list", rule.required("list"));
    if (agreeing != null && keys.isEmpty()) {
      rule.problem("agreeing", "needs by, whose first field says which elements must agree");
    } else {
      list.ifPresent(path -> rules.add(new Rule.Sorted(path, keys, agreeing)));
    }
  }

  private static Optional<FieldPath> path(Section section, String field, String text) {
    try {
      return Optional.of(FieldPath.parse(text));
    } catch (IllegalArgumentException e) {
      section.problem(field, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private <E extends Enum<E>> Optional<E> constant(String field, Class<E> type, String text) {
    for (var constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(text)) {
        return Optional.of(constant);
      }
    }
    section.problem(field, "not known here: " + text);
    return Optional.empty();
  }
}
